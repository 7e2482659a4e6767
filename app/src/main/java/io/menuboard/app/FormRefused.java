package io.menuboard.app;

import io.menuboard.webadmin.ui.errors.Explained;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.ErrorResponseProcessor;

/** A form of which nothing was kept, and the rule that it breaks, as its sender is told. */
final class FormRefused extends RuntimeException implements Explained {
    private static final long serialVersionUID = 1L;

    FormRefused(String rule) {
        super("Nothing of what was sent was kept: " + rule + ".", null, false, false);
    }

    /** The answer to a request whose form it is: {@code 400}, because its client made it. */
    HttpResponse<?> answer(HttpRequest<?> request, ErrorResponseProcessor<?> answers) {
        return answers.processResponse(
                ErrorContext.builder(request).cause(this).errorMessage(text()).build(), HttpResponse.badRequest());
    }

    @Override
    public String title() {
        return "This form cannot be read";
    }

    @Override
    public String text() {
        return String.valueOf(getMessage());
    }

    @Override
    public String backLabel() {
        return "Back to the form";
    }
}
