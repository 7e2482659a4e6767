/** What contexts share because it means the same to all of them: money, and files that people open in a spreadsheet. */
@NullMarked
package io.menuboard.kernel;

import org.jspecify.annotations.NullMarked;
