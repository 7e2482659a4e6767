package io.menuboard.pricing.webhooks;

import static io.menuboard.pricing.PricingFixture.EVERYTHING;
import static io.menuboard.pricing.StoreBuilder.BERLIN;
import static io.menuboard.pricing.StoreBuilder.aStore;
import static io.menuboard.pricing.changes.ChangesFixture.PAGE;
import static io.menuboard.pricing.webhooks.WebhooksFixture.GRACE;
import static io.menuboard.pricing.webhooks.WebhooksFixture.made;
import static io.menuboard.pricing.webhooks.WebhooksFixture.ofStores;
import static io.menuboard.pricing.webhooks.WebhooksFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.changes.ChangesFixture;
import io.menuboard.querydb.DyingClient;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import io.menuboard.querydb.audit.AuditRecord;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class WebhooksTest {
    private static final String URL = "https://partner.example/prices";
    private static final String OTHER_URL = "https://other.example/prices";

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    @SuppressWarnings("NullAway.Init") // by JUnit
    private ChangesFixture changes;

    @SuppressWarnings("NullAway.Init") // by JUnit
    private WebhooksFixture fixture;

    @BeforeEach
    void open() {
        changes = new ChangesFixture(table.queryDb(clock), clock);
        changes.stores.save(EVERYTHING, List.of(BERLIN, aStore("DE-0002").build()));
        fixture = new WebhooksFixture(changes);
    }

    @AfterEach
    void close() {
        changes.close();
    }

    @Test
    void whoChangesSomethingElseAtTheSameTimeIsNotUndone() {
        var id = fixture.created(URL).webhook().id();
        var others = settings(OTHER_URL, "DE-0001");
        var isFirst = new AtomicBoolean(true);

        fixture.webhooks.update(GRACE, id, before -> {
            if (isFirst.getAndSet(false)) {
                fixture.webhooks.update(GRACE, id, _ -> others);
            }
            return new WebhookSettings("renamed", before.url(), before.stores(), before.events());
        });

        assertThat(fixture.webhook(id).settings())
                .isEqualTo(new WebhookSettings("renamed", others.url(), others.stores(), others.events()));
    }

    @Test
    void isRegisteredWithASecretThatIsShownOnce() {
        var created = fixture.created(URL, "DE-0001");

        var id = created.webhook().id();
        assertThat(created.secret()).startsWith("whsec_");
        assertThat(fixture.webhook(id)).isEqualTo(created.webhook());
        assertThat(fixture.webhook(id))
                .isEqualTo(new Webhook(
                        id, settings(URL, "DE-0001"), GRACE.actor(), clock.instant(), null, null, null, null));
        assertThat(fixture.webhooks.list(GRACE, PAGE).nodes()).containsExactly(created.webhook());
    }

    @Test
    void noItemHasTheSecretAndNothingPrintsIt() {
        var created = fixture.created(URL);
        var rotated = fixture.webhooks.rotate(GRACE, created.webhook().id()).orElseThrow();

        var items = changes.db.load("WEBHOOKS").toString();
        assertThat(items).contains("Partner");
        for (var secret : List.of(created.secret(), rotated.secret())) {
            assertThat(items).doesNotContain(secret).doesNotContain(secret.substring("whsec_".length()));
            assertThat(created.toString() + rotated).doesNotContain(secret);
            assertThat(audited(created.webhook().id()).toString()).doesNotContain(secret);
        }
        assertThat(fixture.stored.find(created.webhook().id()).orElseThrow().toString())
                .isEqualTo("StoredWebhook[" + fixture.webhook(created.webhook().id()) + "]");
    }

    @Test
    void oneRequestMakesOne() {
        var first = fixture.webhooks.create(GRACE, settings(URL, "DE-0001", "DE-0002"), "once");

        assertThat(fixture.webhooks.create(GRACE, settings(URL, "DE-0002", "DE-0001"), "once"))
                .isEqualTo(new CreateWebhookResult.Replayed(made(first).webhook()));
        assertThat(fixture.webhooks.create(GRACE, settings(OTHER_URL), "once"))
                .isInstanceOfSatisfying(CreateWebhookResult.KeyReused.class, reused -> {
                    assertThat(reused.existing())
                            .isEqualTo(made(first).webhook().id());
                    assertThat(reused.rule()).contains("another request");
                });
        assertThat(fixture.webhooks.list(GRACE, PAGE).nodes()).hasSize(1);
    }

    @Test
    void aRequestThatIsRepeatedLateDoesNotMakeAgainWhatIsDeleted() {
        var id = made(fixture.webhooks.create(GRACE, settings(URL), "once"))
                .webhook()
                .id();
        clock.advance(Duration.ofHours(23));
        fixture.webhooks.delete(GRACE, id);

        assertThat(fixture.webhooks.create(GRACE, settings(URL), "once"))
                .isInstanceOfSatisfying(CreateWebhookResult.KeyReused.class, reused -> {
                    assertThat(reused.existing()).isEqualTo(id);
                    assertThat(reused.rule()).contains("deleted");
                });

        assertThat(fixture.webhooks.list(GRACE, PAGE).nodes()).isEmpty();
        clock.advance(Duration.ofHours(1));
        assertThat(made(fixture.webhooks.create(GRACE, settings(URL), "once"))
                        .webhook()
                        .id())
                .isNotEqualTo(id);
    }

    @Test
    void isRefusedWhereThisServerHasNoKey() {
        var withoutKey = new WebhooksFixture(changes, null);
        var id = fixture.created(URL).webhook().id();

        assertThat(withoutKey.webhooks.hasKey()).isFalse();
        assertThatThrownBy(() -> withoutKey.created(URL)).hasMessageContaining("menuboard.webhooks.key");
        assertRefused(() -> withoutKey.created(URL), "NO_KEY", "");
        assertRefused(() -> withoutKey.webhooks.rotate(GRACE, id), "NO_KEY", "");
    }

    @Test
    void refusesStoresThatThereAreNotAndMoreThanThereMayBe() {
        assertRefused(() -> fixture.created(URL, "DE-0001", "nowhere"), "NOT_FOUND", "stores");
        var first = made(fixture.webhooks.create(GRACE, settings(URL), "first")).webhook();
        for (var i = 1; i < Webhooks.MOST; i++) {
            fixture.created(URL);
        }

        assertRefused(() -> fixture.created(URL), "TOO_MANY", "");
        assertThat(fixture.webhooks.create(GRACE, settings(URL), "first"))
                .isEqualTo(new CreateWebhookResult.Replayed(first));
    }

    @Test
    void isToldOfStoresWhosePricesItsMakerMayReadAlone() throws Exception {
        var bob = ofStores("DE-0001");
        var webhooks = fixture.webhooks;

        var own = made(webhooks.create(bob, settings(URL, "DE-0001"), null))
                .webhook()
                .id();

        assertRefused(() -> webhooks.create(bob, settings(URL), null), "NOT_YOUR_STORES", "stores");
        assertRefused(
                () -> webhooks.create(bob, settings(URL, "DE-0001", "DE-0002"), null), "NOT_YOUR_STORES", "stores");
        assertRefused(() -> webhooks.update(bob, own, _ -> settings(URL)), "NOT_YOUR_STORES", "stores");
        assertThat(webhooks.update(bob, own, _ -> settings(OTHER_URL, "DE-0001")))
                .isPresent();
        var all = fixture.created(URL).webhook().id();
        assertRefused(() -> webhooks.update(bob, all, _ -> settings(OTHER_URL, "DE-0001")), "NOT_YOUR_STORES", "id");
        assertThat(fixture.webhook(all).settings()).isEqualTo(settings(URL));
        var secrets = secrets(all);
        assertRefused(() -> webhooks.rotate(bob, all), "NOT_YOUR_STORES", "id");
        assertThat(secrets(all)).isEqualTo(secrets);
        webhooks.activate(bob, all, false);
        assertRefused(() -> webhooks.activate(bob, all, true), "NOT_YOUR_STORES", "id");
        assertThat(fixture.webhook(all).isActive()).isFalse();
        assertThat(webhooks.rotate(bob, own)).isPresent();
        webhooks.activate(bob, own, false);
        assertThat(webhooks.activate(bob, own, true)).get().matches(Webhook::isActive);
        var none = ofRole(Role.ADMINISTRATOR);
        assertRefused(() -> webhooks.create(none, settings(URL, "DE-0001"), null), "NOT_YOUR_STORES", "stores");
    }

    @Test
    void isForWhoManagesWebhooks() {
        var id = fixture.created(URL).webhook().id();
        for (var role : Role.values()) {
            if (role.permissions().contains(Permission.WEBHOOKS_MANAGE)) {
                assertThat(fixture.webhooks.find(ofRole(role), id)).isPresent();
                continue;
            }
            var access = ofRole(role);
            for (var call : List.<ThrowingCallable>of(
                    () -> fixture.webhooks.list(access, PAGE),
                    () -> fixture.webhooks.find(access, id),
                    () -> fixture.webhooks.create(access, settings(URL), null),
                    () -> fixture.webhooks.update(access, id, _ -> settings(URL)),
                    () -> fixture.webhooks.activate(access, id, false),
                    () -> fixture.webhooks.rotate(access, id),
                    () -> fixture.webhooks.delete(access, id),
                    () -> fixture.deliveries.list(access, id, PAGE),
                    () -> fixture.deliveries.latest(access, id, 1),
                    () -> fixture.deliveries.test(access, id),
                    () -> fixture.deliveries.redeliver(access, id))) {
                assertThatThrownBy(call).as("%s", role).isInstanceOf(Denied.class);
            }
        }
    }

    @Test
    void everyChangeIsAudited() {
        var webhooks = fixture.webhooks;
        var id = fixture.created(URL, "DE-0001").webhook().id();
        webhooks.update(GRACE, id, _ -> settings(OTHER_URL));
        webhooks.activate(GRACE, id, false);
        webhooks.activate(GRACE, id, false);
        webhooks.activate(GRACE, id, true);
        webhooks.activate(GRACE, id, true);
        webhooks.rotate(GRACE, id);

        assertThat(webhooks.delete(GRACE, id)).isTrue();

        assertThat(webhooks.delete(GRACE, id)).isFalse();
        assertThat(webhooks.find(GRACE, id)).isEmpty();
        assertThat(webhooks.update(GRACE, id, _ -> settings(URL))).isEmpty();
        assertThat(webhooks.rotate(GRACE, id)).isEmpty();
        assertThat(webhooks.activate(GRACE, id, true)).isEmpty();
        assertThat(audited(id).reversed())
                .extracting(AuditRecord::action, record -> record.details().get("url"))
                .containsExactlyInAnyOrder(
                        tuple("webhook created", URL),
                        tuple("webhook changed", OTHER_URL),
                        tuple("webhook switched off", null),
                        tuple("webhook switched on", null),
                        tuple("webhook secret rotated", null),
                        tuple("webhook deleted", null));
        assertThat(audited(id)).extracting(AuditRecord::actor).containsOnly(GRACE.actor());
    }

    @Test
    void theSecretBeforeSignsForADay() throws Exception {
        var created = fixture.created(URL);
        var id = created.webhook().id();

        var rotated = fixture.webhooks.rotate(GRACE, id).orElseThrow();

        assertThat(rotated.webhook().oldSecretUntil()).isEqualTo(clock.instant().plus(Duration.ofHours(24)));
        assertThat(secrets(id)).containsExactly(rotated.secret(), created.secret());
        clock.advance(Duration.ofHours(24).minusMillis(1));
        assertThat(secrets(id)).containsExactly(rotated.secret(), created.secret());
        clock.advance(Duration.ofMillis(1));
        assertThat(secrets(id)).containsExactly(rotated.secret());
    }

    @Test
    void aSecretThatIsSavedIsShownWhateverFailsAfterwards() throws Exception {
        var id = fixture.created(URL).webhook().id();
        // It finds the webhook and saves the secret, and makes no third request.
        var dying = new DyingClient(table.client(), 2, false);
        try (var others = new ChangesFixture(table.queryDb(dying.proxy(), clock), clock)) {
            var rotated = new WebhooksFixture(others).webhooks.rotate(GRACE, id).orElseThrow();

            assertThat(rotated.webhook()).isEqualTo(fixture.webhook(id));
            assertThat(secrets(id)).startsWith(rotated.secret());
        }
    }

    @Test
    void rotatingTwiceKeepsBothSecretsBeforeAndRotatingOnIsRefused() throws Exception {
        var first = fixture.created(URL);
        var id = first.webhook().id();
        var second = fixture.webhooks.rotate(GRACE, id).orElseThrow();
        var third = fixture.webhooks.rotate(GRACE, id).orElseThrow();
        assertThat(secrets(id)).containsExactly(third.secret(), second.secret(), first.secret());
        fixture.webhooks.rotate(GRACE, id);
        fixture.webhooks.rotate(GRACE, id);

        assertRefused(() -> fixture.webhooks.rotate(GRACE, id), "ROTATED_TOO_OFTEN", "id");
        clock.advance(Duration.ofHours(24));
        assertThat(fixture.webhooks.rotate(GRACE, id)).isPresent();
    }

    @Test
    void rotatingIsTheWayToANewKey() throws Exception {
        var id = fixture.created(URL).webhook().id();
        var newKey = new SecretCipher("AQ" + WebhooksFixture.KEY.substring(2));

        var rotated =
                new WebhooksFixture(changes, newKey).webhooks.rotate(GRACE, id).orElseThrow();

        var secrets = fixture.stored.find(id).orElseThrow().secretsAt(clock.instant(), newKey);
        assertThat(secrets).extracting(WebhookSecret::text).containsExactly(rotated.secret());
    }

    private List<String> secrets(WebhookId id) throws SecretCipher.WrongKey {
        return fixture
                .stored
                .find(id)
                .orElseThrow()
                .secretsAt(clock.instant(), new SecretCipher(WebhooksFixture.KEY))
                .stream()
                .map(WebhookSecret::text)
                .toList();
    }

    private List<AuditRecord> audited(WebhookId id) {
        return changes.audit.bySubject("WEBHOOK#" + id, PAGE).nodes();
    }

    private static Access ofRole(Role role) {
        return new Access(new Principal("u1", Actor.Kind.USER, "eve", Set.of(Grant.of(role))), Actor.Source.PAGE);
    }

    private static void assertRefused(ThrowingCallable call, String code, String field) {
        assertThatThrownBy(call).isInstanceOfSatisfying(InvalidInput.class, refused -> {
            assertThat(refused.code()).isEqualTo(code);
            assertThat(refused.field()).isEqualTo(field);
        });
    }
}
