/** Pages of imports, and of change sets that a file drafts. */
@NullMarked
package io.menuboard.webadmin.imports;

import org.jspecify.annotations.NullMarked;
