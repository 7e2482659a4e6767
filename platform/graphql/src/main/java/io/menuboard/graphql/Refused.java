package io.menuboard.graphql;

import io.menuboard.kernel.UserError;
import java.util.List;

/**
 * Payload of a mutation whose input breaks a rule, whatever the mutation: it has the errors, and all else is null.
 *
 * @param errors why nothing was changed; never empty
 */
record Refused(List<UserError> errors) {}
