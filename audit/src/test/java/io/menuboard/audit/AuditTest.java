package io.menuboard.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.access.Access;
import io.menuboard.access.Denied;
import io.menuboard.access.Grant;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.querydb.FreshTable;
import io.menuboard.querydb.RecordingMeter.Units;
import io.menuboard.querydb.audit.AuditFilter;
import io.menuboard.querydb.audit.AuditRecord;
import io.menuboard.querydb.audit.AuditTrail;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AuditTest {
    private static final Instant NOW = Instant.parse("2036-03-01T12:00:00Z");
    private static final PageRequest PAGE = PageRequest.forward(64, null);
    private static final AuditFilter ALL = new AuditFilter(null, null, null, null, null);

    @RegisterExtension
    final FreshTable table = new FreshTable();

    private final Random random = new Random(1);
    private final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);

    @Test
    void recordsAreForThoseAloneWhoMayReadTheAuditTrail() {
        var audit = audit();
        audit.downloaded(as(Role.BILLING), "/billing/runs.csv", Map.of());

        for (var role : Role.values()) {
            if (role.permissions().contains(Permission.AUDIT_READ)) {
                assertThat(audit.records(as(role), ALL, PAGE).nodes())
                        .as("%s", role)
                        .hasSize(1);
            } else {
                for (var filter : List.of(
                        ALL,
                        AuditFilter.of("DOWNLOAD#/billing/runs.csv"),
                        new AuditFilter(null, null, null, "u1", null))) {
                    assertThatThrownBy(() -> audit.records(as(role), filter, PAGE))
                            .as("%s", role)
                            .isInstanceOf(Denied.class);
                }
            }
        }
    }

    @Test
    void whoeverTakesAFileIsRecordedWithWhatWasAskedFor() {
        var audit = audit();
        var tooMany = new LinkedHashMap<String, String>();
        for (var i = 0; i < 100; i++) {
            tooMany.put("p" + i, "x".repeat(1000));
        }

        assertThat(table.meter()
                        .during(() -> audit.downloaded(as(Role.VIEWER), "/stores.csv", Map.of("search", "<b>"))))
                .isEqualTo(new Units(1, 0, 3));
        audit.downloaded(as(Role.VIEWER), "/" + "x".repeat(5000), tooMany);

        var records = audit.records(as(Role.ADMINISTRATOR), new AuditFilter(null, null, null, "u1", null), PAGE)
                .nodes();
        assertThat(records).hasSize(2).anySatisfy(record -> assertThat(record)
                .isEqualTo(new AuditRecord(
                        NOW, as(Role.VIEWER).actor(), "DOWNLOAD#/stores.csv", "downloaded", Map.of("search", "<b>"))));
        assertThat(records).allSatisfy(record -> {
            assertThat(record.subject()).hasSizeLessThan(250);
            assertThat(record.details().values()).allMatch(text -> text.length() <= 201);
        });
        assertThat(records).anySatisfy(record -> assertThat(record.details())
                .hasSize(17)
                .containsKeys("p0", "p9", "p15")
                .containsEntry("more", "84"));
    }

    @Test
    void aStoreHasRecordsOfItsPricesAndOfWhatIsKnownOfIt() {
        var trail = trail();
        var actor = as(Role.PRICING_EDITOR).actor();
        trail.record(actor, "STORE#1", "prices changed", Map.of());
        trail.record(actor, "STORE-DATA#1", "store changed", Map.of());
        trail.record(actor, "STORE-DATA#2", "store changed", Map.of());

        assertThat(audit().records(as(Role.ADMINISTRATOR), AuditFilter.of("STORE#1"), PAGE)
                        .nodes())
                .extracting(AuditRecord::action)
                .containsExactlyInAnyOrder("prices changed", "store changed");
        assertThat(audit().records(as(Role.ADMINISTRATOR), AuditFilter.of("STORE-DATA#1"), PAGE)
                        .nodes())
                .hasSize(1);
    }

    @Test
    void detailsAreChangesAndValues() {
        var details = new HashMap<String, String>();
        details.put("NAME before", "A");
        details.put("NAME after", "B");
        details.put("CITY after", "Berlin");
        details.put("reason", "moved");

        assertThat(AuditDetail.of(record(details)))
                .containsExactlyInAnyOrder(
                        new AuditDetail("CITY", null, "Berlin", null),
                        new AuditDetail("NAME", "A", "B", null),
                        new AuditDetail("reason", null, null, "moved"));
        assertThat(AuditDetail.of(record(Map.of("before", "x", "after", "y"))))
                .containsExactly(new AuditDetail(null, "x", "y", null));
        assertThat(AuditDetail.of(record(Map.of()))).isEmpty();
    }

    private static AuditRecord record(Map<String, String> details) {
        return new AuditRecord(NOW, Actor.system("s", Actor.Source.WORKER), "STORE#1", "changed", details);
    }

    private Audit audit() {
        return new Audit(trail());
    }

    private AuditTrail trail() {
        return new AuditTrail(table.queryDb(clock), clock, random, new AuditTrail.Settings(4, Duration.ofDays(730)));
    }

    private static Access as(Role role) {
        return new Access(new Principal("u1", Actor.Kind.USER, "ada", Set.of(Grant.of(role))), Actor.Source.PAGE);
    }
}
