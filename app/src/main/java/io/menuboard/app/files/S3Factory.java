package io.menuboard.app.files;

import io.menuboard.billing.reports.ReportFiles;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Files, where a bucket is configured: through one client for runs, and another one for what people download, so that fifty
 * who read slowly do not keep a run from its files.
 */
@Factory
final class S3Factory {
    private static final String RUNS = "runs";
    private static final String DOWNLOADS = "downloads";

    /** Has each client that Micronaut's builder makes use connections of its own. */
    @Singleton
    BeanCreatedEventListener<S3ClientBuilder> builderForFiles() {
        return created -> S3ReportFiles.prepare(created.getBean().httpClient(null));
    }

    @Singleton
    @Named(RUNS)
    @Bean(preDestroy = "close")
    @Requires(beans = S3Config.class)
    S3Client clientOfRuns(S3ClientBuilder builder) {
        return builder.build();
    }

    @Singleton
    @Named(DOWNLOADS)
    @Bean(preDestroy = "close")
    @Requires(beans = S3Config.class)
    S3Client clientOfDownloads(S3ClientBuilder builder) {
        return builder.build();
    }

    @Singleton
    @Primary
    @Requires(beans = S3Config.class)
    ReportFiles filesOfRuns(@Named(RUNS) S3Client s3, S3Config config) {
        return new S3ReportFiles(s3, config);
    }

    @Singleton
    @Named(DOWNLOADS)
    @Requires(beans = S3Config.class)
    ReportFiles filesOfDownloads(@Named(DOWNLOADS) S3Client s3, S3Config config) {
        return new S3ReportFiles(s3, config);
    }
}
