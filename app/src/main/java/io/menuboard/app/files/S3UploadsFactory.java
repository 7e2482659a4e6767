package io.menuboard.app.files;

import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Uploads in a bucket or a folder, where one is configured. */
@Factory
final class S3UploadsFactory {
    private static final String BUCKET = "menuboard.uploads.bucket";
    private static final String FOLDER = "menuboard.uploads.folder";
    private static final String UPLOADS = "uploads";

    @Singleton
    @Named(UPLOADS)
    @Bean(preDestroy = "close")
    @Requires(property = BUCKET)
    S3Client clientOfUploads(S3ClientBuilder builder) {
        return builder.build();
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = BUCKET)
    S3Presigner presigner(
            AwsCredentialsProviderChain credentials,
            AwsRegionProviderChain regions,
            @Property(name = "aws.services.s3.endpoint-override") @Nullable URI endpoint) {
        return S3Presigner.builder()
                .credentialsProvider(credentials)
                .region(regions.getRegion())
                .endpointOverride(endpoint)
                .build();
    }

    @Singleton
    @Requires(property = BUCKET)
    S3StagedFiles bucket(@Named(UPLOADS) S3Client s3, S3Presigner presigner, UploadPlacesConfig config) {
        var bucket = Objects.requireNonNull(config.bucket(), BUCKET);
        return new S3StagedFiles(s3, presigner, new S3Config(bucket, config.prefix()));
    }

    @Singleton
    @Requires(property = FOLDER)
    @Requires(missingProperty = BUCKET)
    FolderStagedFiles folder(UploadPlacesConfig config, TableClock clock) {
        return new FolderStagedFiles(Path.of(Objects.requireNonNull(config.folder(), FOLDER)), clock);
    }
}
