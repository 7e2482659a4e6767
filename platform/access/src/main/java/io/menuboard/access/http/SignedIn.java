package io.menuboard.access.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** For routes that take somebody who is known, and no permission: they are about that person, or decide by themselves. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface SignedIn {
    /** Whether also for people who have to change their password first. */
    boolean beforePasswordChange() default false;
}
