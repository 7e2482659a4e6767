package io.menuboard.app.limits;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Principal;
import io.menuboard.access.http.Caller;
import io.menuboard.kernel.Actor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.http.HttpRequest;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestLimitsTest {
    private static final int BURST = 3;

    private final RequestLimits limits = new RequestLimits(
            new LimitsConfig(true, 1, BURST, 1, BURST, 1, 1), _ -> "192.0.2.1", new SimpleMeterRegistry());

    private final Caller ada = new Caller.Known(new Principal("ada", Actor.Kind.USER, "Ada", Set.of()));

    /** Who sent it is asked again and again while its answer goes on, and what is found out must be heard. */
    @Test
    void countsARequestOnce() {
        var stream = HttpRequest.GET("/graphql/stream");

        for (var i = 0; i < 3 * BURST; i++) {
            assertThatCode(() -> limits.count(stream, ada)).doesNotThrowAnyException();
            assertThatCode(() -> limits.count(stream, new Caller.Nobody())).doesNotThrowAnyException();
        }

        assertThatThrownBy(() -> {
                    for (var i = 0; i < 3 * BURST; i++) {
                        limits.count(HttpRequest.GET("/stores"), ada);
                    }
                })
                .isInstanceOf(TooManyRequests.class);
    }
}
