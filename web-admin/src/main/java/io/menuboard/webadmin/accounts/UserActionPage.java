package io.menuboard.webadmin.accounts;

import io.menuboard.accounts.Account;
import io.menuboard.webadmin.ui.Badge;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Problem;
import io.menuboard.webadmin.ui.Problems;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * View model of {@code accounts/action}: the question before something is done with a user.
 *
 * @param roles what they are now
 * @param newName null where there is no field for one
 * @param choices of roles; empty where there are none
 * @param password whether there is a field for one
 * @param problems what is wrong with what was sent
 * @param refusal why what was asked for was not done, or null
 */
record UserActionPage(
        Confirmation confirmation,
        String username,
        String name,
        String roles,
        Badge status,
        @Nullable String newName,
        List<RoleChoices.Box> choices,
        boolean password,
        Problems problems,
        @Nullable String refusal) {

    static UserActionPage of(
            UserAction action,
            Account account,
            UserActionForm form,
            @Nullable Problem problem,
            @Nullable String refusal) {
        var page = AccountWords.link(account.id());
        var asksForRoles = action == UserAction.ROLES;
        return new UserActionPage(
                confirmation(action, account, page),
                account.username().value(),
                account.name(),
                AccountWords.text(account.grants()),
                AccountWords.status(account),
                action == UserAction.RENAME ? form.name() : null,
                asksForRoles ? form.roles().boxes() : List.of(),
                action == UserAction.PASSWORD,
                Problems.of(problem),
                refusal);
    }

    private static Confirmation confirmation(UserAction action, Account account, Link page) {
        var username = account.username().value();
        var confirmation = Confirmation.of(
                        List.of(Reference.of("Users", AccountWords.users()), Reference.of(username, page)),
                        action.question() + " " + username + "?",
                        action.consequence(),
                        action.confirmation(),
                        Link.to("users", account.id().value(), action.path()),
                        Reference.of("Back to the user", page))
                .dangerous(action.isDangerous());
        var before = UserActionForm.before(action, account);
        return before.isEmpty() ? confirmation : confirmation.with(UserActionForm.BEFORE, before);
    }
}
