package io.menuboard.accounts;

import static io.menuboard.accounts.AccountsFixture.PASSWORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.ClientAddress;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.InternalServerErrorException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/** Sign-ins of an instance that hears nothing good of the table once a session is stored. */
class SignInFaultsTest {
    private static final String OTHER = "another good password";
    private static final ClientAddress HERE = ClientAddress.of("192.0.2.1");

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();
    private AccountsFixture working;
    private AccountsFixture failing;
    private AtomicBoolean isSilent;

    @BeforeEach
    void open() {
        isSilent = new AtomicBoolean();
        working = new AccountsFixture(table.queryDb(clock), clock);
        failing = new AccountsFixture(table.queryDb(silentAfterATransaction(table.client()), clock), clock);
        working.create("ada");
    }

    @Test
    void whoIsSignedInIsToldSo() {
        var first = signIn(failing, null);

        assertThat(isValid(first.begun().session())).isTrue();
        // The browser keeps what the table has not taken, and it is known from the next time on.
        isSilent.set(false);
        assertThat(signIn(working, first.browser()).browser()).isEqualTo(first.browser());
        var known = signIn(failing, first.browser());
        assertThat(known.browser()).isEqualTo(first.browser());
        assertThat(isValid(known.begun().session())).isTrue();
    }

    @Test
    void whoIsSignedInIsToldSoWhereThePasswordCannotBeHashedAgain() {
        var later = new Passwords(new Passwords.Settings(128, 1, 1, 2, Duration.ofSeconds(5)));
        var id = working.store.findId(new Username("ada")).orElseThrow();
        var before = working.store.find(id).orElseThrow();
        working.store.rehash(before, before.rehashed(later.hash(PASSWORD), clock.instant()));

        assertThat(isValid(signIn(failing, null).begun().session())).isTrue();
    }

    @Test
    void whosePasswordIsChangedHasTheSessionThatGoesOn() {
        var session = signIn(working, null).begun().session();

        var changed = failing.signIns.changePassword(session, HERE, PASSWORD, OTHER, null);

        assertThat(changed).isInstanceOfSatisfying(ChangePasswordResult.Changed.class, done -> assertThat(
                        isValid(done.goesOn().session()))
                .isTrue());
    }

    private static SignInResult.SignedIn signIn(AccountsFixture instance, @Nullable KnownBrowser browser) {
        return (SignInResult.SignedIn) instance.signIns.signIn("ada", PASSWORD, HERE, "Firefox", browser, null);
    }

    private boolean isValid(Session session) {
        return working.sessions.current(session.key()).isPresent();
    }

    private DynamoDbClient silentAfterATransaction(DynamoDbClient client) {
        return (DynamoDbClient) Proxy.newProxyInstance(
                SignInFaultsTest.class.getClassLoader(),
                new Class<?>[] {DynamoDbClient.class},
                (_, method, arguments) -> {
                    if (isSilent.get()) {
                        throw InternalServerErrorException.builder()
                                .statusCode(500)
                                .build();
                    }
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        isSilent.set(arguments != null && arguments[0] instanceof TransactWriteItemsRequest);
                    }
                });
    }
}
