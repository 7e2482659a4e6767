package io.menuboard.access.http;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * For routes that change something, and that no form of a page can send anything to: they take a method or a media type that
 * browsers send across origins after asking only. All others need the token of a form.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface TakesNoForms {}
