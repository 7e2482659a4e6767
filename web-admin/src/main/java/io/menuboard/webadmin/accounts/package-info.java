/** Pages of users and tokens: who may come in, and what they may do. */
@NullMarked
package io.menuboard.webadmin.accounts;

import org.jspecify.annotations.NullMarked;
