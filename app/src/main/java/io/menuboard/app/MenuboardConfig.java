package io.menuboard.app;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings under {@code menuboard.*}. Endpoint, region and credentials of AWS are none of them: they come from the SDK's own
 * configuration ({@code AWS_REGION}, {@code AWS_ENDPOINT_URL_DYNAMODB}, an instance profile …), behind Micronaut's {@code aws.*}.
 *
 * @param tableName the DynamoDB table, default {@code menuboard}
 * @param cursorSecret signs the cursors of pages, at least {@value #MIN_SECRET} characters, the same on all instances.
 *     An instance that consumes queues does not start without it. Any other makes one of its own at each start: its
 *     cursors end with the process and are foreign to other instances
 * @param hosts by which names clients may call this service, without ports, default the loopback names
 * @param pageSize edges of a page where the client names no number, default 64
 * @param maxPageSize most edges of a page, default 2,048; more is refused, not clamped
 */
@ConfigurationProperties("menuboard")
record MenuboardConfig(
        @Bindable(defaultValue = "menuboard") String tableName,
        @Nullable String cursorSecret,

        @Bindable(defaultValue = "localhost,127.0.0.1,[::1]")
        List<String> hosts,

        @Bindable(defaultValue = "64") int pageSize,
        @Bindable(defaultValue = "2048") int maxPageSize) {

    static final int MIN_SECRET = 32;

    MenuboardConfig {
        hosts = List.copyOf(hosts);
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("menuboard.hosts must name the hosts of this service");
        }
        if (cursorSecret != null && cursorSecret.length() < MIN_SECRET) {
            throw new IllegalArgumentException(
                    "menuboard.cursor-secret must have at least " + MIN_SECRET + " characters");
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "MenuboardConfig[tableName=" + tableName + ", hosts=" + hosts + ", pageSize=" + pageSize
                + ", maxPageSize=" + maxPageSize + "]";
    }
}
