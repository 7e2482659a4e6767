package io.menuboard.pricing;

import static java.util.stream.Collectors.toUnmodifiableSet;

import io.menuboard.graphql.Arguments;
import io.menuboard.graphql.GraphQlModule;
import io.menuboard.graphql.SchemaParts;
import io.menuboard.graphql.SchemaParts.NodeReader;
import io.menuboard.kernel.UserError;
import io.menuboard.querydb.requests.Concurrently;
import java.time.ZoneId;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Stores of {@code pricing.graphqls} to use cases. Fields of records need no fetcher of their own. */
final class StoresGraphQl implements GraphQlModule {
    private static final int LISTS_AT_ONCE = 8;

    private final Stores stores;

    StoresGraphQl(Stores stores) {
        this.stores = stores;
    }

    @Override
    public void contribute(SchemaParts parts) {
        parts.query("store", args -> stores.find(args.access(), id(args)).orElse(null));
        parts.query("stores", args -> stores.filtered(args.access(), filter(args), args.page()));
        parts.query("storesById", PricingInput.STORE, StoresGraphQl::ids);
        parts.mutation("addStore", this::add);
        parts.mutation("editStore", this::edit);
        parts.node(
                        PricingInput.STORE,
                        Store.class,
                        store -> store.id().value(),
                        NodeReader.of(
                                StoreId::new,
                                (access, ids) -> List.copyOf(
                                        stores.findAllNow(access, ids).values()),
                                store -> store.id().value()))
                .field("key", store -> store.id().value())
                .batch("history", (some, args) -> {
                    var page = args.page();
                    var access = args.access();
                    return Concurrently.map(LISTS_AT_ONCE, some, store -> stores.history(access, store.id(), page));
                });
        parts.object("Address", Address.class)
                .field("country", address -> address.country().isEmpty() ? null : address.country());
    }

    private static List<String> ids(Arguments args) {
        var keys = args.keys("ids", PricingInput.STORE);
        return IntStream.range(0, keys.size())
                .mapToObj(i -> Arguments.named("ids." + i, () -> new StoreId(keys.get(i)))
                        .value())
                .toList();
    }

    private static StoreFilter filter(Arguments args) {
        var filter = args.object("filter");
        return new StoreFilter(
                args.find("search"),
                all(filter, "countries", String.class),
                all(filter, "statuses", String.class).stream()
                        .map(StoreStatus::valueOf)
                        .collect(toUnmodifiableSet()),
                all(filter, "currencies", Currency.class));
    }

    private static <T> Set<T> all(Map<String, Object> filter, String name, Class<T> type) {
        return filter.get(name) instanceof List<?> values
                ? values.stream().map(type::cast).collect(toUnmodifiableSet())
                : Set.of();
    }

    /** Answer of a mutation of one store. */
    record StorePayload(@Nullable Store store, List<UserError> errors) {
        static StorePayload of(Stores.Edited edited) {
            return switch (edited) {
                case Stores.Edited.Done(var store) -> new StorePayload(store, List.of());
                case Stores.Edited.Taken(var id) ->
                    new StorePayload(
                            null,
                            UserError.list(
                                    "STORE_EXISTS",
                                    "key must be new: there is a store " + id + ", which is different",
                                    "input",
                                    "key"));
                case Stores.Edited.NotFound(var id) ->
                    new StorePayload(
                            null, UserError.list("NOT_FOUND", "id must exist: there is no store " + id, "input", "id"));
                case Stores.Edited.Conflict(var id) ->
                    new StorePayload(
                            null,
                            UserError.list(
                                    "CONFLICT",
                                    "somebody else changed store " + id + " at the same time: try again",
                                    "input"));
            };
        }
    }

    private static StoreId id(Arguments args) {
        return Arguments.named("id", () -> new StoreId(args.key("id", PricingInput.STORE)));
    }

    private StorePayload add(Arguments args) {
        var id = Arguments.named("key", () -> new StoreId(args.text("key")));
        var store = new Store(
                id,
                Store.checkedName(args.text("name")),
                address(args, Address.UNKNOWN),
                args.get("timeZone"),
                args.get("currency"),
                StoreStatus.valueOf(args.get("status", StoreStatus.OPEN.name())));
        return StorePayload.of(stores.add(args.access(), store));
    }

    private StorePayload edit(Arguments args) {
        return StorePayload.of(stores.edit(args.access(), id(args), store -> edited(store, args)));
    }

    private static Store edited(Store store, Arguments args) {
        String name = args.find("name");
        return new Store(
                store.id(),
                name == null ? store.name() : Store.checkedName(name),
                address(args, store.address()),
                args.<ZoneId>get("timeZone", store.timeZone()),
                args.<Currency>get("currency", store.currency()),
                StoreStatus.valueOf(args.get("status", store.status().name())));
    }

    /** The parts that are given, and the others as they are. Only a country can be given as null. */
    private static Address address(Arguments args, Address there) {
        var given = args.object("address");
        if (given.isEmpty()) {
            return there;
        }
        return Arguments.within(
                "address",
                () -> Address.typed(
                        text(given, "street", there.street()),
                        text(given, "city", there.city()),
                        text(given, "region", there.region()),
                        text(given, "postalCode", there.postalCode()),
                        given.containsKey("country") ? text(given, "country", "") : there.country()));
    }

    private static String text(Map<String, Object> given, String name, String otherwise) {
        return given.get(name) instanceof String text ? text : otherwise;
    }
}
