package io.menuboard.webadmin;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Settings of the pages under {@code menuboard.admin.*}. How big an uploaded file may be says
 * {@code micronaut.server.multipart.max-file-size}, and {@code micronaut.server.max-request-size} for both of an upload.
 *
 * @param actor who changes something through a page, until people log in; default {@code back-office}
 * @param importsAtOnce uploads that one instance imports at the same time, default 2; one more is refused
 */
@ConfigurationProperties("menuboard.admin")
record AdminConfig(
        @Bindable(defaultValue = "back-office") String actor,
        @Bindable(defaultValue = "2") int importsAtOnce) {}
