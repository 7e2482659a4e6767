/** Charts drawn as SVG on the server. */
@NullMarked
package io.menuboard.webadmin.ui.charts;

import org.jspecify.annotations.NullMarked;
