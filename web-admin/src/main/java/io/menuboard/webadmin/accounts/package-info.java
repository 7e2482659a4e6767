/** How people sign in and out, their own account, and users and tokens: who may come in, and what they may do. */
@NullMarked
package io.menuboard.webadmin.accounts;

import org.jspecify.annotations.NullMarked;
