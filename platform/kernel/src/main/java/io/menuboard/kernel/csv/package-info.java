/** CSV as spreadsheets write and read it: rows with their line numbers, headers, and cells that are no formulas. */
@NullMarked
package io.menuboard.kernel.csv;

import org.jspecify.annotations.NullMarked;
