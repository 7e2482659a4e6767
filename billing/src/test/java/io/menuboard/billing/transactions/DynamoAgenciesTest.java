package io.menuboard.billing.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.MovingClock;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DynamoAgenciesTest {
    @RegisterExtension
    final FreshTable table = new FreshTable();

    @Test
    void forgetsThoseOfAPartnerWhoSendsANewOneEachTime() {
        var agencies = new DynamoAgencies(table.queryDb(new MovingClock()), 100);

        agencies.remember(ids(0, 99));
        assertThat(agencies.remembered()).isEqualTo(99);
        agencies.remember(ids(99, 102));

        assertThat(agencies.remembered()).isEqualTo(3);
        assertThat(agencies.exists(new AgencyId("order 7"))).isTrue();
    }

    private static Set<AgencyId> ids(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(number -> new AgencyId("order " + number))
                .collect(Collectors.toSet());
    }
}
