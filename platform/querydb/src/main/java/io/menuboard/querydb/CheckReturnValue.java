package io.menuboard.querydb;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** Tells Error Prone, which knows it by its name, that a call whose result is dropped does nothing. */
@Target(ElementType.TYPE)
@interface CheckReturnValue {}
