/**
 * The one way to the table: operations, keys, cursors and pages, typed errors, the audit trail. Knows DynamoDB and no
 * business word.
 */
@NullMarked
package io.menuboard.querydb;

import org.jspecify.annotations.NullMarked;
