package io.menuboard.webadmin.accounts;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;

/** Leaves no page about users and tokens, nor an error in place of one, in any cache. */
@ServerFilter({"/users", "/users.csv", "/users/**", "/tokens", "/tokens.csv", "/tokens/**"})
final class AccountPagesFilter {

    @ResponseFilter
    void keepNothing(MutableHttpResponse<?> response) {
        response.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
    }
}
