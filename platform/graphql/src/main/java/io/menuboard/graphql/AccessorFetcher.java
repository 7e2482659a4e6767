package io.menuboard.graphql;

import io.menuboard.kernel.UserError;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads a field from the accessor of the same name, {@code cursor()} for {@code cursor}, whether a record's component or
 * any other public method without parameters. graphql-java's own fetcher tries more names, and costs two look-ups in
 * shared maps per value; and where there is nothing to read it answers null, where this one fails. Of a {@link Refused} it reads the errors.
 */
final class AccessorFetcher implements PlainFetcher {
    /**
     * Payload of a mutation whose input breaks a rule, whatever the mutation: it has the errors, and all else is null.
     *
     * @param errors why nothing was changed; never empty
     */
    record Refused(List<UserError> errors) {}

    private final String name;
    private final ClassValue<Function<Object, @Nullable Object>> accessors;

    AccessorFetcher(String name) {
        this.name = name;
        accessors = new ClassValue<>() {
            @Override
            protected Function<Object, @Nullable Object> computeValue(Class<?> type) {
                return accessor(type, name);
            }
        };
    }

    @Override
    public @Nullable Object read(@Nullable Object source) {
        if (source == null) {
            throw new IllegalStateException("field " + name + " has no fetcher and nothing to read it from");
        }
        if (source instanceof Refused(var errors)) {
            return name.equals("errors") ? errors : null;
        }
        return accessors.get(source.getClass()).apply(source);
    }

    /** A method reference made at run time, which is as quick as one in the source. */
    @SuppressWarnings("unchecked")
    private static Function<Object, @Nullable Object> accessor(Class<?> type, String name) {
        try {
            var method = type.getMethod(name);
            var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
            var handle = lookup.unreflect(method);
            return (Function<Object, @Nullable Object>) LambdaMetafactory.metafactory(
                            lookup,
                            "apply",
                            MethodType.methodType(Function.class),
                            MethodType.methodType(Object.class, Object.class),
                            handle,
                            MethodType.methodType(method.getReturnType(), type).wrap())
                    .getTarget()
                    .invoke();
        } catch (Throwable e) {
            throw new IllegalStateException("field " + name + " cannot be read from " + type.getName(), e);
        }
    }
}
