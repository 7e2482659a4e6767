/** Lists: one handler for a page of any list, its summary, pager and problem. */
@NullMarked
package io.menuboard.webadmin.ui.lists;

import org.jspecify.annotations.NullMarked;
