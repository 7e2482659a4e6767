/**
 * Where files are kept that are too large for the table: ledgers and reports, in a bucket. What is in them belongs to the
 * contexts; nothing here decides anything.
 */
@NullMarked
package io.menuboard.app.files;

import org.jspecify.annotations.NullMarked;
