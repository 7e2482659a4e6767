package io.menuboard.webadmin.ui;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of the pages under {@code menuboard.admin.*}. How big an uploaded file may be says
 * {@code micronaut.server.multipart.max-file-size}, and {@code micronaut.server.max-request-size} for both of an import.
 *
 * @param importsAtOnce uploads that one instance takes in or imports at the same time, default 2; one more is refused
 * @param pagesAtOnce pages that one instance makes at the same time, default 64; one account or token has half of them at most
 * @param maxWait how long one more waits for a place, default 0.5 s; then it is answered 503
 * @param deadline for how long a page may read and write, default 10 s. Files that are uploaded or downloaded
 *     have as long as it takes, once they have begun
 * @param hstsMaxAge for how long browsers that came by TLS come by TLS alone, default a year; zero makes them forget it
 */
@ConfigurationProperties("menuboard.admin")
public record AdminConfig(
        @Bindable(defaultValue = "2") int importsAtOnce,
        @Bindable(defaultValue = "64") int pagesAtOnce,
        @Bindable(defaultValue = "500ms") Duration maxWait,
        @Bindable(defaultValue = "10s") Duration deadline,
        @Bindable(defaultValue = "365d") Duration hstsMaxAge) {}
