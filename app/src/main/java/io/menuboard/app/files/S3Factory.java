package io.menuboard.app.files;

import io.menuboard.billing.ReportFiles;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import software.amazon.awssdk.services.s3.S3Client;

/** Files, where a bucket is configured. */
@Factory
final class S3Factory {

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(beans = S3Config.class)
    S3Client s3Client() {
        return S3ReportFiles.client().build();
    }

    @Singleton
    @Requires(beans = S3Config.class)
    ReportFiles reportFiles(S3Client s3, S3Config config) {
        return new S3ReportFiles(s3, config);
    }
}
