/** What is answered where something is refused or fails: its status, and its page. */
@NullMarked
package io.menuboard.webadmin.ui.errors;

import org.jspecify.annotations.NullMarked;
