package io.menuboard.app.files;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * Where uploads are until they are imported, under {@code menuboard.uploads.*}; without either there are none.
 *
 * @param bucket name of an S3 bucket in the region of the instances, to which clients send files themselves. Not that of
 *     {@link S3Config}, in which nothing can be deleted
 * @param prefix what the names of all uploads in the bucket begin with, so that others can use it too; default none
 * @param folder a folder that all instances share, for where there is no bucket: clients send files to an instance
 */
@ConfigurationProperties("menuboard.uploads")
record UploadPlacesConfig(
        @Nullable String bucket,
        @Bindable(defaultValue = "") String prefix,
        @Nullable String folder) {}
