package io.menuboard.webadmin.pages;

import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.access.Scope;
import io.menuboard.access.http.ClientAddress;
import io.menuboard.accounts.AccountId;
import io.menuboard.accounts.AccountResult;
import io.menuboard.accounts.Accounts;
import io.menuboard.accounts.ChangePasswordResult;
import io.menuboard.accounts.SignInResult;
import io.menuboard.accounts.SignIns;
import io.menuboard.accounts.Tokens;
import io.menuboard.accounts.Username;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.pricing.webhooks.CreateWebhookResult;
import io.menuboard.pricing.webhooks.WebhookEvent;
import io.menuboard.pricing.webhooks.WebhookId;
import io.menuboard.pricing.webhooks.WebhookSettings;
import io.menuboard.pricing.webhooks.Webhooks;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Users in every state, with sessions, tokens and webhooks, on a server of their own.
 *
 * @param active has every role, also one for a part, and a session
 * @param off a webhook of a hostile name that is switched off
 */
public record AccountsSample(PagesServer server, AccountId active, WebhookId off) {
    /** Of whoever makes them. */
    public static final Access STAFF = new Access(Principal.withEveryRole("grace"), Actor.Source.PAGE);

    /** Good enough for every user. */
    public static final String PASSWORD = "correct horse battery";

    public static final String NEW_PASSWORD = "staple horse correct";
    public static final String FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

    /** Secrets of webhooks are encrypted with. */
    public static final String WEBHOOKS_KEY = Base64.getEncoder().encodeToString(new byte[32]);

    /** Users {@code user-01} and so on. */
    public static final int MANY = 20;

    /** Made at the first call, never stopped. */
    public static AccountsSample shared() {
        return Shared.INSTANCE;
    }

    /** A server without users, which hashes passwords in no time. */
    public static PagesServer emptyServer(String table) {
        return PagesServer.start(
                table,
                Map.of(
                        "menuboard.accounts.hash-memory-kib",
                        64,
                        "menuboard.accounts.hash-iterations",
                        1,
                        "menuboard.webhooks.key",
                        WEBHOOKS_KEY));
    }

    private static AccountsSample start(String table) {
        var server = emptyServer(table);
        var grants = Set.of(
                Grant.of(Role.ADMINISTRATOR),
                Grant.of(Role.BILLING),
                new Grant(Role.VIEWER, new Scope.Stores(Set.of("DE-0001", "DE-0002"))));
        var active = add(server, "ada", "Ada Lovelace", PASSWORD, grants);
        signIn(server, "ada", PASSWORD, NEW_PASSWORD);
        signIn(server, "ada", NEW_PASSWORD, null);
        add(server, "attack", PriceSample.ATTACK, PASSWORD, Set.of(Grant.of(Role.OPERATOR)));
        add(server, "nobody", "Without a password", null, Set.of());
        server.bean(Accounts.class).disable(STAFF, add(server, "was-here", "Left", PASSWORD, Set.of()));
        for (var number = 1; number <= MANY; number++) {
            add(server, "user-%02d".formatted(number), "User " + number, null, Set.of(Grant.of(Role.VIEWER)));
        }
        var tokens = server.bean(Tokens.class);
        var year = server.now().plus(Duration.ofDays(365));
        var client = tokens.create(STAFF, "Till 7, Zürich", Set.of(Grant.of(Role.WORKER)), year);
        tokens.principal(client.text());
        var lost = tokens.create(STAFF, PriceSample.ATTACK, Set.of(Grant.of(Role.VIEWER)), year);
        tokens.revoke(STAFF, lost.token().id());
        webhook(server, "Partner");
        var off = webhook(server, PriceSample.ATTACK);
        server.bean(Webhooks.class).activate(STAFF, off, false);
        return new AccountsSample(server, active, off);
    }

    /** Registers a webhook. */
    public static WebhookId webhook(PagesServer server, String name) {
        var settings = new WebhookSettings(
                name,
                WebhookSettings.url("https://partner.example/prices"),
                new StoreSelection.All(),
                Set.of(WebhookEvent.PRICE_UPDATED));
        var result = server.bean(Webhooks.class).create(STAFF, settings, null);
        return ((CreateWebhookResult.Created) result).made().webhook().id();
    }

    /** Adds a user. */
    public static AccountId add(
            PagesServer server, String username, String name, @Nullable String password, Set<Grant> grants) {
        var result = server.bean(Accounts.class).create(STAFF, new Username(username), name, password, grants);
        return ((AccountResult.Done) result).account().id();
    }

    /**
     * Begins a session.
     *
     * @param then password that it is changed to, or null
     */
    public static SignInResult.SignedIn signIn(
            PagesServer server, String username, String password, @Nullable String then) {
        var signIns = server.bean(SignIns.class);
        var address = ClientAddress.of("192.0.2.7");
        var signedIn = (SignInResult.SignedIn) signIns.signIn(username, password, address, FIREFOX, null, null);
        if (then != null) {
            var _ = (ChangePasswordResult.Changed)
                    signIns.changePassword(signedIn.begun().session(), address, password, then, null);
        }
        return signedIn;
    }

    public static String userPage(AccountId id) {
        return "/users/" + id;
    }

    /** Addresses of every kind of page of users and tokens, in every state that looks different. */
    public List<String> pages() {
        return List.of(
                "/users?first=16",
                "/users?after=forged",
                "/users/new",
                userPage(active),
                userPage(active) + "/roles",
                userPage(active) + "/password",
                userPage(active) + "/disable",
                "/tokens",
                "/tokens/new",
                "/webhooks?first=16",
                "/webhooks?after=forged",
                "/webhooks/new",
                "/webhooks/" + off,
                "/webhooks/" + off + "/edit",
                "/webhooks/" + off + "/rotate",
                "/webhooks/" + off + "/delete",
                "/audit?first=16",
                "/audit?subject=ACCOUNT%23" + active,
                "/audit?subject=nothing",
                "/audit?from=2026-03-02&to=2026-03-01");
    }

    private static final class Shared {
        static final AccountsSample INSTANCE = start("accounts-pages");
    }
}
