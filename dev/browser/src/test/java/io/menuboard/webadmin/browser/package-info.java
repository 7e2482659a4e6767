/** The pages in Debian's browser: what people see and can do, by mouse and by keyboard, on a phone and at a desk. */
@NullMarked
package io.menuboard.webadmin.browser;

import org.jspecify.annotations.NullMarked;
