/** Lets only forms change something that a page of this service has shown to the browser that sends them. */
@NullMarked
package io.menuboard.webadmin.forms;

import org.jspecify.annotations.NullMarked;
