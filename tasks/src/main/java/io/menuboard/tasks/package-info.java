/**
 * Owns the work that has to be done: tasks with their life cycle and append-only history, submitting, administering and
 * reading them. Packages below it own who does the work ({@code claims}, {@code workers}) and what is known of many tasks
 * ({@code bulk}, {@code statistics}).
 */
@NullMarked
package io.menuboard.tasks;

import org.jspecify.annotations.NullMarked;
