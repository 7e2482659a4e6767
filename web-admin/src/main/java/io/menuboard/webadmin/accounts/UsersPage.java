package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Account;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.lists.Listing;
import java.util.List;

/** View model of {@code accounts/users}. */
record UsersPage(Listing list, List<Row> rows) {

    record Row(String id, String username, String href, String name, List<String> roles, Badge status) {
        static Row of(Account account) {
            return new Row(
                    account.id().value(),
                    account.username().value(),
                    AccountWords.link(account.id()).toString(),
                    account.name(),
                    AccountWords.names(account.grants()),
                    AccountWords.status(account));
        }
    }
}
