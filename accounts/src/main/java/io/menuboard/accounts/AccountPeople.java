package io.menuboard.accounts;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toMap;

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

    /** From a token to the one that created it, and so on, until there is a person; whoever makes more of them has none. */
    private static final int MOST_STEPS = 4;

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
        var people = new HashMap<String, String>();
        var last = new HashMap<String, String>();
        ids.forEach(id -> last.put(id, id));
        for (var step = 0; step < MOST_STEPS && !last.isEmpty(); step++) {
            var creators = tokens.findAll(Set.copyOf(last.values())).stream()
                    .filter(token -> token.createdBy().id() != null)
                    .collect(toMap(Token::id, Token::createdBy));
            for (var id : List.copyOf(last.keySet())) {
                var creator = creators.get(last.remove(id));
                if (creator != null && creator.kind() == Actor.Kind.USER) {
                    people.put(id, requireNonNull(creator.id()));
                } else if (creator != null && creator.kind() == Actor.Kind.TOKEN) {
                    last.put(id, requireNonNull(creator.id()));
                }
            }
        }
        return people;
    }
}
