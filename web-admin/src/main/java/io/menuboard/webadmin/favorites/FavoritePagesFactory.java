package io.menuboard.webadmin.favorites;

import io.menuboard.access.Permission;
import io.menuboard.favorites.Recounts;
import io.menuboard.webadmin.tasks.OperationPage;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Wires the pages of favorites. */
@Factory
final class FavoritePagesFactory {

    @Singleton
    OperationPage recounts() {
        return OperationPage.of(
                Recounts.TYPE, "Recount", Permission.OPERATIONS_READ, payload -> Recounts.recountOf(payload)
                        .map(FavoriteWords::link));
    }
}
