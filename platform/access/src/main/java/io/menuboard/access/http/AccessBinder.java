package io.menuboard.access.http;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor.Source;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Hands controllers of pages the {@link Access} of the request. */
@Singleton
final class AccessBinder implements TypedRequestArgumentBinder<Access> {
    private static final Argument<Access> TYPE = Argument.of(Access.class);

    @Override
    public Argument<Access> argumentType() {
        return TYPE;
    }

    @Override
    public BindingResult<Access> bind(ArgumentConversionContext<Access> context, HttpRequest<?> request) {
        return () -> Optional.of(RequestAccess.of(request, Source.PAGE));
    }
}
