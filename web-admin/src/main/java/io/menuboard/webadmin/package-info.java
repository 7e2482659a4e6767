/** Server-rendered admin pages: translate between HTTP forms and the contexts' use cases, and hold no rules. */
@NullMarked
package io.menuboard.webadmin;

import org.jspecify.annotations.NullMarked;
