package io.menuboard.app.limits;

import io.github.bucket4j.TimeMeter;
import io.menuboard.access.Principal;
import io.menuboard.access.http.Caller;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.access.http.Openness;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.server.util.HttpClientAddressResolver;
import jakarta.inject.Singleton;
import java.util.function.Consumer;

/**
 * Requests of each account, token and address within a rate, by their headers alone: those of somebody who is known count for
 * the account or token, all others, also for what is open to all, for the address. An address that has used up what it may
 * is refused whatever it brings, so that guessing costs no reads; the requests of those who are known use it up at addresses alone
 * for which nobody has to be known. Operations, such as health, are not limited.
 */
@Singleton
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(RequestLimits.ORDER)
@Requires(property = "menuboard.sign-in", notEquals = "false")
@Requires(property = "menuboard.limits.requests", notEquals = "false")
final class RequestLimits {
    /** Behind what refuses requests for what they are, and before anybody looks up who sends them. */
    static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 50;

    private static final String COUNTED = RequestLimits.class.getName();

    private final HttpClientAddressResolver resolver;
    private final RequestRates<String> addresses;
    private final RequestRates<String> principals;
    private final Counter refused;

    RequestLimits(LimitsConfig config, HttpClientAddressResolver resolver, MeterRegistry registry) {
        this.resolver = resolver;
        addresses = new RequestRates<>(config.addressRate(), config.addressBurst(), TimeMeter.SYSTEM_NANOTIME);
        principals = new RequestRates<>(config.principalRate(), config.principalBurst(), TimeMeter.SYSTEM_NANOTIME);
        refused = Counter.builder("menuboard.limits.requests.refused")
                .description("Requests that were refused because their sender had sent too many")
                .register(registry);
    }

    @RequestFilter
    void limit(HttpRequest<?> request) {
        switch (Openness.of(request)) {
            case OPERATIONS -> {}
            case TO_ALL -> count(addresses::take, address(request));
            case TO_KNOWN_CALLERS -> count(addresses::check, address(request));
        }
    }

    /**
     * Counts a request of a caller who was looked up, once, however often that is done while its answer goes on.
     *
     * @throws TooManyRequests if it is one too many
     */
    void count(HttpRequest<?> request, Caller caller) {
        if (request.getAttribute(COUNTED).isPresent()) {
            return;
        }
        request.setAttribute(COUNTED, true);
        switch (caller) {
            case Caller.Known(var principal) -> count(request, principal);
            case Caller.MustChangePassword(var principal) -> count(request, principal);
            case Caller.Nobody _ -> count(addresses::take, address(request));
        }
    }

    private void count(HttpRequest<?> request, Principal principal) {
        var id = principal.id();
        if (id == null) {
            count(addresses::take, address(request));
        } else {
            count(principals::take, id);
        }
    }

    private void count(Consumer<String> rates, String client) {
        try {
            rates.accept(client);
        } catch (TooManyRequests e) {
            refused.increment();
            throw e;
        }
    }

    private String address(HttpRequest<?> request) {
        return ClientAddress.of(resolver.resolve(request)).network();
    }
}
