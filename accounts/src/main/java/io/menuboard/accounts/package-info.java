/**
 * Who may sign in, with what, and what they may do: accounts of people with their passwords and sessions, and tokens of clients.
 * Answers every request with the {@link io.menuboard.access.Principal} that made it.
 */
@NullMarked
package io.menuboard.accounts;

import org.jspecify.annotations.NullMarked;
