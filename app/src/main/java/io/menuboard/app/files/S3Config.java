package io.menuboard.app.files;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Bucket of files, under {@code menuboard.files.*}; without a bucket there are no files, and nothing that needs them.
 *
 * @param bucket name of an S3 bucket in the region of the instances
 * @param prefix what the names of all files begin with, so that others can use the bucket too; default none
 */
@Requires(property = "menuboard.files.bucket")
@ConfigurationProperties("menuboard.files")
record S3Config(String bucket, @Bindable(defaultValue = "") String prefix) {}
