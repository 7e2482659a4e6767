@NullMarked
package io.menuboard.app.files;

import org.jspecify.annotations.NullMarked;
