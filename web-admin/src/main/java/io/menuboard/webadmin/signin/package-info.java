/** How people sign in and out, and what they see and change of their own account. */
@NullMarked
package io.menuboard.webadmin.signin;

import org.jspecify.annotations.NullMarked;
