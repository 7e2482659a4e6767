package io.menuboard.pricing.imports;

import static io.menuboard.pricing.changes.ChangesFixture.GRACE;
import static io.menuboard.pricing.changes.ChangesFixture.limited;
import static io.menuboard.pricing.imports.ImportFixture.ACTOR;
import static io.menuboard.pricing.imports.ImportFixture.changes;
import static io.menuboard.pricing.imports.ImportFixture.prices;
import static io.menuboard.pricing.imports.ImportFixture.stores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Imports as those see and begin them who have roles for some of the stores. */
class ImportAccessTest {
    private static final String STORES = "id,name,timeZone,currency";
    private static final String PRICES = "store,product,effectiveDate,amount";
    private static final ImportId NONE = new ImportId("0123456789abcdef");

    private static final Access EDITOR = limited("editor", Role.PRICING_EDITOR, "DE-0001", "DE-0009");
    private static final Access COLLEAGUE = limited("colleague", Role.PRICING_EDITOR, "DE-0001");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private ImportFixture fixture;
    private Imports imports;

    @BeforeEach
    void connect() {
        fixture = new ImportFixture(table);
        imports = fixture.imports();
        fixture.run(stores(STORES, "DE-0001,Berlin,Europe/Berlin,EUR", "DE-0002,Hamburg,Europe/Berlin,EUR"));
        fixture.run(prices(PRICES, "DE-0001,BURGER,2020-01-01,2.10", "DE-0002,BURGER,2020-01-01,2.10"));
    }

    @Test
    void anImportIsThereForWhoBeganItAndForWhoSeesAllStores() {
        var begun = run(EDITOR, prices(PRICES, "nowhere,BURGER,2020-01-01,2.10"));
        var namesake = new Access(
                new Principal(
                        "other",
                        Actor.Kind.USER,
                        "editor",
                        COLLEAGUE.principal().grants()),
                Actor.Source.PAGE);

        for (var access : List.of(COLLEAGUE, namesake)) {
            for (var ask : List.<Function<ImportId, Object>>of(
                    id -> imports.find(access, id), id -> imports.findAll(access, List.of(id)))) {
                assertThat(ask.apply(begun.id())).isEqualTo(ask.apply(NONE));
            }
            assertThat(imports.rejections(access, begun)).isEmpty();
            assertThat(imports.rejections(access, begun, PageRequest.forward(9, null))
                            .nodes())
                    .isEmpty();
        }
        for (var access : List.of(EDITOR, GRACE)) {
            assertThat(imports.find(access, begun.id())).contains(begun);
            assertThat(imports.findAll(access, List.of(begun.id()))).containsExactly(begun);
            assertThat(imports.rejections(access, begun)).hasSize(1);
        }
    }

    @Test
    void listsHaveNoHolesWhereOthersAre() {
        var seen = new ArrayList<ImportId>();
        for (var number = 0; number < 3; number++) {
            fixture.clock.advance(Duration.ofSeconds(1));
            imports.begin(ACTOR, List.of(stores(STORES)));
            fixture.clock.advance(Duration.ofSeconds(1));
            seen.addFirst(imports.begin(EDITOR, List.of(prices(PRICES))).id());
        }

        var first = imports.list(EDITOR, PageRequest.forward(2, null));
        var second = imports.list(EDITOR, PageRequest.forward(2, first.endCursor()));

        assertThat(first.nodes()).extracting(ImportStatus::id).containsExactlyElementsOf(seen.subList(0, 2));
        assertThat(first.hasNextPage()).isTrue();
        assertThat(second.nodes()).extracting(ImportStatus::id).containsExactly(seen.getLast());
        assertThat(second.hasNextPage()).isFalse();
        assertThat(imports.list(COLLEAGUE, PageRequest.forward(9, null)).nodes())
                .isEmpty();
    }

    @Test
    void rowsOfStoresThatAreNotOnesOwnAreOfUnknownStores() {
        run(
                EDITOR,
                prices(
                        PRICES,
                        "DE-0001,BURGER,2020-01-01,2.20",
                        "DE-0002,BURGER,2020-01-01,2.20",
                        "XX,BURGER,2020-01-01,2.20"));
        isRefused("DE-0002", "XX");

        run(
                EDITOR,
                changes(
                        "store,product,operation,amount",
                        "DE-0001,BURGER,SET,2.20",
                        "DE-0002,BURGER,SET,2.20",
                        "XX,BURGER,SET,2.20"));
        isRefused("DE-0002", "XX");
    }

    @Test
    void storesThatAreNotOnesOwnAreNeitherEditedNorAdded() {
        run(
                EDITOR,
                stores(
                        STORES,
                        "DE-0001,Berlin Mitte,Europe/Berlin,EUR",
                        "DE-0002,Hamburg Altona,Europe/Berlin,EUR",
                        "XX,New,Europe/Berlin,EUR",
                        "DE-0009,Granted,Europe/Berlin,EUR"));

        isRefused("DE-0002", "XX", "DE-0009");
        assertThat(List.of("DE-0001", "DE-0002", "XX"))
                .map(id -> fixture.stores.findAllNow(GRACE, List.of(new StoreId(id))).values().stream()
                        .map(store -> store.name())
                        .toList())
                .containsExactly(List.of("Berlin Mitte"), List.of("Hamburg"), List.of());
    }

    @Test
    void aStoreOfOnesOwnThatANewerVersionWroteIsNotSaidToBeUnknown() {
        fixture.run(stores(STORES, "DE-0009,Bremen,Europe/Berlin,EUR"));
        fixture.db.update(Update.of(new Key("STORE#DE-0009", "META")).set("status", "SOLD"));

        var ended = run(EDITOR, stores(STORES, "DE-0009,Bremen Mitte,Europe/Berlin,EUR"));

        assertThat(ended.state()).isEqualTo(ImportState.FINISHED);
        assertThat(fixture.rejections).extracting(ImportRejection::code).containsExactly("NOT_SAVED");
    }

    /** The rows after the first one, in the same words. */
    private void isRefused(String... ids) {
        assertThat(fixture.rejections)
                .extracting(ImportRejection::row, ImportRejection::value, ImportRejection::code)
                .containsExactlyElementsOf(IntStream.range(0, ids.length)
                        .mapToObj(i -> tuple(3 + i, ids[i], "UNKNOWN_STORE"))
                        .toList());
        assertThat(fixture.rejections)
                .extracting(ImportRejection::rule)
                .containsOnly(
                        Objects.requireNonNull(fixture.rejections.getFirst().rule()));
    }

    @Test
    void whoMayNotImportIsToldSo() {
        var viewer = limited("viewer", Role.VIEWER, "DE-0001");
        var file = List.of(prices(PRICES));
        var waiting = imports.begin(EDITOR, file);

        assertThatThrownBy(() -> imports.begin(viewer, file)).isInstanceOf(Denied.class);
        assertThatThrownBy(() -> imports.run(viewer, waiting.id(), file, ImportAbout.FILE, ImportListener.NONE))
                .isInstanceOf(Denied.class);
        assertThat(imports.find(EDITOR, waiting.id())).contains(waiting);
    }

    private ImportStatus run(Access access, ImportFile file) {
        fixture.rejections.clear();
        return imports.run(access, imports.begin(access, List.of(file)).id(), List.of(file), ImportAbout.FILE, fixture);
    }

    @Test
    void whoSeesAStoreHearsThatTheyMayNotChangeIt() {
        var grants = Set.of(Grant.of(Role.VIEWER), new Grant(Role.PRICING_EDITOR, new Scope.Stores(Set.of("DE-0001"))));
        var reader = new Access(new Principal("reader", Actor.Kind.USER, "reader", grants), Actor.Source.PAGE);
        for (var file : List.of(
                prices(
                        PRICES,
                        "DE-0001,BURGER,2020-01-01,2.20",
                        "DE-0002,BURGER,2020-01-01,2.20",
                        "XX,BURGER,2020-01-01,2.20"),
                changes(
                        "store,product,operation,amount",
                        "DE-0001,BURGER,SET,2.20",
                        "DE-0002,BURGER,SET,2.20",
                        "XX,BURGER,SET,2.20"))) {
            run(reader, file);

            assertThat(fixture.rejections)
                    .extracting(ImportRejection::row, ImportRejection::code)
                    .containsExactly(tuple(3, "UNKNOWN_STORE"), tuple(4, "UNKNOWN_STORE"));
            assertThat(fixture.rejections.getFirst().rule())
                    .isEqualTo("store must be one whose prices whoever imports it may change");
            assertThat(fixture.rejections.getLast().rule()).startsWith("store must exist");
        }

        run(reader, stores(STORES, "DE-0002,Hamburg Altona,Europe/Berlin,EUR", "XX,New,Europe/Berlin,EUR"));

        assertThat(fixture.rejections.getFirst().rule()).isEqualTo("id must be one that whoever imports it may edit");
        assertThat(fixture.rejections.getLast().rule()).startsWith("id must exist");
    }
}
