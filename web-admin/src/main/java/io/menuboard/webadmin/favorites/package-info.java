/** Pages of favorites: the leaderboard, restaurants, users and recounts. */
@NullMarked
package io.menuboard.webadmin.favorites;

import org.jspecify.annotations.NullMarked;
