/**
 * Owns what makes a change set need a second person, and what that person has said. Knows change sets only by what a preview
 * has found.
 */
@NullMarked
package io.menuboard.pricing.approvals;

import org.jspecify.annotations.NullMarked;
