package io.menuboard.webadmin.uploads;

import io.micronaut.http.annotation.FilterMatcher;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A route that takes files; {@link UploadFilter} decides on each request before its body is read. */
@FilterMatcher
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Upload {
    /** Longest request that is taken. */
    Bound value() default Bound.FILES;

    /** Bound of a request's length. */
    enum Bound {
        /** {@code micronaut.server.max-request-size}. */
        FILES,

        /** {@code micronaut.server.multipart.max-file-size}, and the form around the file. */
        FILE,

        /** {@code menuboard.billing.file-max-bytes}, and the form around the file. */
        TRANSACTIONS
    }
}
