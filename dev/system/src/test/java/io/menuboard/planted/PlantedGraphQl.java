package io.menuboard.planted;

import io.menuboard.accounts.Tokens;

/** A door that asks without saying for whom. */
final class PlantedGraphQl {
    Object principal(Tokens tokens) {
        return tokens.principal("mb_");
    }
}
