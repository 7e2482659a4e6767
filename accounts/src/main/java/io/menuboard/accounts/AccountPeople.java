package io.menuboard.accounts;

import io.menuboard.access.Access;
import io.menuboard.access.People;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.Ulid;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reads accounts, eventually consistent, and tokens that are asked about, strongly. */
final class AccountPeople implements People {
    private static final int AT_ONCE = 1_000;

    private final DynamoAccounts accounts;
    private final DynamoTokens tokens;

    AccountPeople(DynamoAccounts accounts, DynamoTokens tokens) {
        this.accounts = accounts;
        this.tokens = tokens;
    }

    @Override
    public List<List<String>> named(Permission permission, List<Wanted> wanted, int most) {
        if (wanted.isEmpty()) {
            return List.of();
        }
        var people = Stream.iterate(
                        accounts.list(PageRequest.forward(AT_ONCE, null)),
                        page -> !page.edges().isEmpty(),
                        this::next)
                .flatMap(page -> page.nodes().stream())
                .filter(account -> !account.disabled())
                .filter(account -> wanted.stream().anyMatch(one -> may(account, permission, one.stores())))
                .sorted(Comparator.comparing(Account::name))
                .toList();
        return wanted.stream()
                .map(one -> people.stream()
                        .filter(account -> !account.id().value().equals(one.except()))
                        .filter(account -> may(account, permission, one.stores()))
                        .map(Account::name)
                        .limit(most)
                        .toList())
                .toList();
    }

    private Page<Account> next(Page<Account> page) {
        return page.hasNextPage() ? accounts.list(PageRequest.forward(AT_ONCE, page.endCursor())) : Page.empty();
    }

    private static boolean may(Account account, Permission permission, Set<String> stores) {
        var access = new Access(
                new Principal(account.id().value(), Actor.Kind.USER, account.name(), account.grants()),
                Actor.Source.PAGE);
        return stores.isEmpty()
                ? access.isForAll(permission)
                : stores.stream().allMatch(store -> access.may(permission, Kind.STORES, store));
    }

    @Override
    public Map<String, String> creatorsOf(Set<String> ids) {
        ids.forEach(id -> Ulid.check("token", id));
        var creators = new HashMap<String, String>();
        for (var token : tokens.findAll(ids)) {
            var creator = token.createdBy();
            if (creator.kind() == Actor.Kind.USER && creator.id() != null) {
                creators.put(token.id(), creator.id());
            }
        }
        return creators;
    }
}
