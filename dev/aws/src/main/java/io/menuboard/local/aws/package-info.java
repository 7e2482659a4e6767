/**
 * Servers that stand in for AWS in this process, for tests and for {@code mvn -Prun}. They know what {@code app/deploy}
 * describes, and nothing of the application.
 */
@NullMarked
package io.menuboard.local.aws;

import org.jspecify.annotations.NullMarked;
