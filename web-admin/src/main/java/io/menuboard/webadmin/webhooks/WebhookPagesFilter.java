package io.menuboard.webadmin.webhooks;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Leaves no page about webhooks, some of which show a secret, in any cache. */
@ServerFilter({"/webhooks", "/webhooks/**"})
final class WebhookPagesFilter {

    @ResponseFilter
    void keepNothing(MutableHttpResponse<?> response) {
        response.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
    }
}
