package io.menuboard.pricing.webhooks;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.Ulid;
import io.menuboard.pricing.Contention;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.webhooks.StoredWebhook.OldSecret;
import io.menuboard.querydb.coordination.IdempotencyKeys;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Use cases of webhooks. All need {@link Permission#WEBHOOKS_MANAGE}, without which methods throw {@link Denied}. Who says what a
 * webhook is told of, and where, must be able to read the prices of its stores, as they go there. Thread-safe.
 */
public final class Webhooks {
    /** Most webhooks; a few more where several are made at the same time. */
    public static final int MOST = 100;

    private static final int MOST_OLD_SECRETS = 4;
    private static final Duration KEYS_REMEMBERED = Duration.ofDays(1);
    private static final String KEY = "idempotencyKey";

    private final DynamoWebhooks webhooks;
    private final IdempotencyKeys keys;
    private final Stores stores;
    private final Destinations destinations;
    private final @Nullable SecretCipher cipher;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    /** @param cipher null where this server has no key */
    Webhooks(
            DynamoWebhooks webhooks,
            IdempotencyKeys keys,
            Stores stores,
            Destinations destinations,
            @Nullable SecretCipher cipher,
            Clock clock) {
        this.webhooks = webhooks;
        this.keys = keys;
        this.stores = stores;
        this.destinations = destinations;
        this.cipher = cipher;
        this.clock = clock;
    }

    /** As they were made; one read unit per 4 KB of all of them. */
    public Page<Webhook> list(Access access, PageRequest page) {
        access.require(Permission.WEBHOOKS_MANAGE);
        return Page.of(webhooks.all(), webhook -> webhook.id().value(), page);
    }

    /** One read unit; strongly consistent. */
    public Optional<Webhook> find(Access access, WebhookId id) {
        access.require(Permission.WEBHOOKS_MANAGE);
        return webhooks.find(id).map(StoredWebhook::webhook);
    }

    /** Those of many that there are; one read unit per 4 KB of all webhooks. */
    List<Webhook> findAll(Access access, List<WebhookId> ids) {
        access.require(Permission.WEBHOOKS_MANAGE);
        var wanted = Set.copyOf(ids);
        return webhooks.all().stream()
                .filter(webhook -> wanted.contains(webhook.id()))
                .toList();
    }

    /** Server time. */
    public Instant now() {
        return clock.instant();
    }

    /** Whether this server has the key that it takes to make secrets. */
    public boolean hasKey() {
        return cipher != null;
    }

    /**
     * Registers a webhook, once for each idempotency key within a day, and shows its secret this once. Eight write units and some
     * reads.
     *
     * @throws InvalidInput {@code NO_KEY}, {@code TOO_MANY}, {@code INVALID_ID} on {@code idempotencyKey}, and what is wrong with
     *     the settings
     */
    public CreateWebhookResult create(Access access, WebhookSettings settings, @Nullable String idempotencyKey) {
        access.require(Permission.WEBHOOKS_MANAGE);
        var key = requireKey();
        check(access, settings);
        var made = Ulid.random(clock.instant(), random);
        if (idempotencyKey == null) {
            return create(access, settings, new WebhookId(made), key);
        }
        Ids.check(KEY, idempotencyKey);
        var body = body(settings);
        var until = clock.instant().plus(KEYS_REMEMBERED);
        var owner = keys.claim(access.principal().id(), idempotencyKey, made, body, until);
        var id = new WebhookId(owner.target());
        if (!owner.body().equals(body)) {
            return new CreateWebhookResult.KeyReused(
                    id, "must be another one for another request: with this one, webhook " + id + " was made");
        }
        var before = find(access, id);
        return before.isPresent() ? new CreateWebhookResult.Replayed(before.get()) : create(access, settings, id, key);
    }

    private CreateWebhookResult create(Access access, WebhookSettings settings, WebhookId id, SecretCipher key) {
        if (webhooks.all().size() >= MOST) {
            throw InvalidInput.sentence(
                    "TOO_MANY",
                    "",
                    "There are " + MOST + " webhooks, which is as many as there can be: delete one first");
        }
        var secret = WebhookSecret.random(random);
        var webhook = new Webhook(id, settings, access.actor(), clock.instant(), null, null, null, null);
        var stored = new StoredWebhook(webhook, key.encrypt(id, secret), List.of());
        if (webhooks.create(stored, new WebhookChange(access.actor(), "webhook created", details(settings)))) {
            return new CreateWebhookResult.Created(new NewSecret(webhook, secret.text()));
        }
        return find(access, id)
                .<CreateWebhookResult>map(CreateWebhookResult.Replayed::new)
                .orElseGet(() -> new CreateWebhookResult.KeyReused(
                        id, "must be another one: with this one, webhook " + id + " was made, which is deleted"));
    }

    /**
     * Changes what staff have said about it.
     *
     * @param change of what it is at that moment; is asked again where somebody else changes it meanwhile
     * @return empty where there is none
     * @throws InvalidInput {@code NOT_YOUR_STORES} where whoever asks may not read the prices of all of its stores, and what is
     *     wrong with the settings
     */
    public Optional<Webhook> update(Access access, WebhookId id, UnaryOperator<WebhookSettings> change) {
        return Contention.retry("webhook " + id, () -> attemptToUpdate(access, id, change));
    }

    private Optional<Optional<Webhook>> attemptToUpdate(
            Access access, WebhookId id, UnaryOperator<WebhookSettings> change) {
        var before = find(access, id);
        if (before.isEmpty()) {
            return Optional.of(before);
        }
        var settings = change.apply(before.get().settings());
        if (settings.equals(before.get().settings())) {
            return Optional.of(before);
        }
        requireToUpdate(access, before.get());
        check(access, settings);
        return webhooks.update(
                        before.get(), settings, new WebhookChange(access.actor(), "webhook changed", details(settings)))
                ? Optional.of(find(access, id))
                : Optional.empty();
    }

    /**
     * Whether whoever asks may read the prices of all that it is told of, without which they may neither {@linkplain #update change}
     * it, nor {@linkplain #rotate see a secret} of it, nor {@linkplain #activate switch} it on.
     */
    public static boolean mayUpdate(Access access, Webhook webhook) {
        return isWithin(access, webhook.settings().stores());
    }

    private static void requireToUpdate(Access access, Webhook webhook) {
        if (!mayUpdate(access, webhook)) {
            throw InvalidInput.sentence(
                    "NOT_YOUR_STORES",
                    "id",
                    "It is told of stores whose prices you may not read, so you may not do that");
        }
    }

    /**
     * Switches it on or off; the same again is no error. Empty where there is none.
     *
     * @throws InvalidInput {@code NOT_YOUR_STORES} where it is to be switched on by who may not read the prices of all of its stores
     */
    public Optional<Webhook> activate(Access access, WebhookId id, boolean active) {
        access.require(Permission.WEBHOOKS_MANAGE);
        if (active) {
            find(access, id).ifPresent(webhook -> requireToUpdate(access, webhook));
            webhooks.switchOn(id, WebhookChange.of(access.actor(), "webhook switched on"));
        } else {
            var off = new Webhook.Off(
                    Webhook.Reason.SWITCHED_OFF, access.actor().name() + " switched it off", clock.instant());
            webhooks.switchOff(id, off, WebhookChange.of(access.actor(), "webhook switched off"));
        }
        return find(access, id);
    }

    /** False where there is none. What is on its way is not sent any more. */
    public boolean delete(Access access, WebhookId id) {
        access.require(Permission.WEBHOOKS_MANAGE);
        // No key that made it is remembered for longer.
        var until = clock.instant().plus(KEYS_REMEMBERED);
        return webhooks.delete(id, until, WebhookChange.of(access.actor(), "webhook deleted"));
    }

    /**
     * Makes another secret, and shows it this once. The one before signs too for {@link Webhook#ROTATION}.
     *
     * @return empty where there is none
     * @throws InvalidInput {@code NO_KEY}, {@code ROTATED_TOO_OFTEN} or {@code ROTATED_MEANWHILE}, or {@code NOT_YOUR_STORES} where
     *     whoever asks may not read the prices of all of its stores: the secret signs messages of each
     */
    public Optional<NewSecret> rotate(Access access, WebhookId id) {
        access.require(Permission.WEBHOOKS_MANAGE);
        var key = requireKey();
        var found = webhooks.find(id);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        requireToUpdate(access, found.get().webhook());
        var now = clock.instant();
        var until = now.plus(Webhook.ROTATION).truncatedTo(ChronoUnit.MILLIS);
        var old = new ArrayList<OldSecret>();
        old.add(new OldSecret(until, found.get().secret()));
        old.addAll(found.get().oldSecretsAt(now));
        if (old.size() > MOST_OLD_SECRETS) {
            throw InvalidInput.sentence(
                    "ROTATED_TOO_OFTEN",
                    "id",
                    "Its secret was rotated " + MOST_OLD_SECRETS
                            + " times within a day: wait until the first of them ends");
        }
        var secret = WebhookSecret.random(random);
        var change = WebhookChange.of(access.actor(), "webhook secret rotated");
        if (!webhooks.rotate(found.get(), key.encrypt(id, secret), old, change)) {
            throw InvalidInput.sentence("ROTATED_MEANWHILE", "id", "Somebody else was rotating its secret: try again");
        }
        // Without reading it again, which could fail: nobody would ever see the secret.
        return Optional.of(new NewSecret(found.get().webhook().rotated(until), secret.text()));
    }

    private SecretCipher requireKey() {
        if (cipher == null) {
            throw InvalidInput.sentence(
                    "NO_KEY",
                    "",
                    "Secrets of webhooks are encrypted, and this server has no key for that: menuboard.webhooks.key must be set");
        }
        return cipher;
    }

    private void check(Access access, WebhookSettings settings) {
        destinations.check(settings);
        if (!isWithin(access, settings.stores())) {
            throw InvalidInput.sentence(
                    "NOT_YOUR_STORES", "stores", "A webhook can only be told of stores whose prices you may read");
        }
        if (settings.stores() instanceof StoreSelection.Listed(var ids)) {
            var found = stores.findAllNow(access, ids);
            ids.stream().filter(id -> !found.containsKey(id)).findFirst().ifPresent(missing -> {
                throw new InvalidInput("NOT_FOUND", "stores", "must exist: there is no " + missing);
            });
        }
    }

    private static boolean isWithin(Access access, StoreSelection selection) {
        var limit = access.stores(Permission.PRICES_READ);
        return limit.isEmpty()
                || (selection instanceof StoreSelection.Listed(var ids)
                        && ids.stream().map(StoreId::value).allMatch(limit.get()::contains));
    }

    private static String body(WebhookSettings settings) {
        var text = new TreeMap<>(details(settings)).toString();
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static Map<String, String> details(WebhookSettings settings) {
        var listed = settings.stores() instanceof StoreSelection.Listed(var ids)
                ? ids.stream().map(StoreId::value).collect(Collectors.joining(" "))
                : "all";
        var events = settings.events().stream().map(Enum::name).sorted().collect(Collectors.joining(" "));
        return Map.of("name", settings.name(), "url", settings.url().toString(), "stores", listed, "events", events);
    }
}
