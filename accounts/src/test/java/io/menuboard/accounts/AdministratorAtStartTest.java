package io.menuboard.accounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.InterruptedClient;
import io.menuboard.querydb.MovingClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

class AdministratorAtStartTest {
    private static final AdministratorConfig CONFIG = new AdministratorConfig("root", AccountsFixture.PASSWORD);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final MovingClock clock = new MovingClock();

    @Test
    void addsTheFirstAdministratorOnceTheTableIsThere() {
        var late = InterruptedClient.before(GetItemRequest.class::isInstance, 2, table.client(), () -> {
            throw ResourceNotFoundException.builder().message("no such table").build();
        });
        var first = new AccountsFixture(table.queryDb(late, clock), clock).firstAdministrator;

        var fixture = new AccountsFixture(table.queryDb(clock), clock);

        try (var _ = new AdministratorAtStart(first, CONFIG, Duration.ofMillis(1))) {
            await().until(fixture.firstAdministrator::isThere);
        }

        assertThat(fixture.accounts
                        .list(AccountsFixture.ADMIN, PageRequest.forward(5, null))
                        .nodes())
                .extracting(Account::username)
                .containsExactly(new Username("root"));
    }
}
