package io.menuboard.webadmin.ui.errors;

import io.menuboard.access.http.Unauthenticated;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.SignInAddress;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;
import jakarta.inject.Singleton;

/**
 * Leads people who open a page to where they sign in, or change their password, and then back. A form that is sent without a
 * session, and what no browser asks for, is answered 401.
 */
@Singleton
final class UnauthenticatedHandler implements ExceptionHandler<Unauthenticated, HttpResponse<?>> {
    private final ErrorResponseProcessor<?> answers;

    UnauthenticatedHandler(ErrorResponseProcessor<?> answers) {
        this.answers = answers;
    }

    @Override
    @SuppressWarnings("rawtypes") // as the interface has it
    public HttpResponse<?> handle(HttpRequest request, Unauthenticated refused) {
        HttpRequest<?> asked = request;
        if (asked.getHeaders().contains("HX-Request")) {
            var here = asked.getHeaders().get("HX-Current-URL");
            return HttpResponse.status(HttpStatus.UNAUTHORIZED)
                    .header(
                            "HX-Redirect",
                            link(refused, here == null ? "" : here).toString());
        }
        if (asked.getMethod() == HttpMethod.GET && asked.accept().contains(MediaType.TEXT_HTML_TYPE)) {
            return Redirect.to(link(refused, asked.getUri().toString())).header(HttpHeaders.CACHE_CONTROL, "no-store");
        }
        return answers.processResponse(
                ErrorContext.builder(asked)
                        .cause(refused)
                        .errorMessage(String.valueOf(refused.getMessage()))
                        .build(),
                HttpResponse.status(HttpStatus.UNAUTHORIZED).header(HttpHeaders.WWW_AUTHENTICATE, "Bearer"));
    }

    private static Link link(Unauthenticated refused, String address) {
        return refused.needsPasswordChange() ? Link.to("account", "password") : SignInAddress.leadingTo(address);
    }
}
