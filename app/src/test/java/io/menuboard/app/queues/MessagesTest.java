package io.menuboard.app.queues;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.changes.DueBatches.Due;
import io.menuboard.pricing.changes.PriceBatch;
import io.menuboard.querydb.ChangeHandler;
import io.menuboard.querydb.ChangeRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the bodies of messages mean. */
class MessagesTest {
    private static final PriceBatch BATCH =
            new PriceBatch(new StoreId("1"), new Channel("Köln \"1\""), EffectiveDate.parse("2026-03-01T06:00"));

    @Test
    void aDueBatchIsAppliedOrPutOff() {
        var later = Instant.parse("2026-03-01T05:00:00Z");
        var applied = new ArrayList<PriceBatch>();
        var messages = new DueMessages(batch -> {
            applied.add(batch);
            return applied.size() == 1 ? new Due.NotDueYet(later) : new Due.Applied();
        });
        var body = DueMessages.body(BATCH);

        assertThat(messages.read(body).perform()).contains(later);
        assertThat(messages.read(body).perform()).isEmpty();

        assertThat(applied).containsExactly(BATCH, BATCH);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{\"store\":\"1\",\"channel\":\"ALL\"}",
                "{\"store\":1,\"channel\":\"ALL\",\"effectiveDate\":\"2026-03-01\"}",
                "{\"store\":\"a#b\",\"channel\":\"ALL\",\"effectiveDate\":\"2026-03-01\"}",
                "{\"store\":\"1\",\"channel\":\"ALL\",\"effectiveDate\":\"tomorrow\"}",
                "{\"store\":\"1\",\"channel\":\"ALL\",\"effectiveDate\":\"2026-03-01\"} {}"
            })
    void whatIsNoBatchIsNeverApplied(String body) {
        var messages = new DueMessages(_ -> {
            throw new AssertionError("applied");
        });

        assertThatIllegalArgumentException().isThrownBy(() -> messages.read(body));
    }

    @Test
    void aChangeGoesToEveryHandlerOfItsTypeAndToNoOther() {
        var one = new Recorder(Set.of("a", "b"));
        var other = new Recorder(Set.of("b", "c"));
        var messages = new ChangeMessages(List.of(one, other));

        for (var type : List.of("a", "b", "c", "unknown")) {
            assertThat(messages.read(change(type)).perform()).isEmpty();
        }

        assertThat(one.seen).containsExactly("a", "b");
        assertThat(other.seen).containsExactly("b", "c");
    }

    @Test
    void whatIsNoChangeMakesNoSense() {
        var messages = new ChangeMessages(List.of());

        assertThatIllegalArgumentException().isThrownBy(() -> messages.read("{}"));
    }

    private static String change(String type) {
        return """
                {"eventID": "e1", "eventName": "REMOVE", "eventSource": "aws:dynamodb", "dynamodb": {
                  "ApproximateCreationDateTime": 1764000000, "Keys": {"pk": {"S": "p"}, "sk": {"S": "s"}},
                  "OldImage": {"pk": {"S": "p"}, "sk": {"S": "s"}, "type": {"S": "%s"}}}}
                """.formatted(type);
    }

    private static final class Recorder implements ChangeHandler {
        private final Set<String> types;
        private final List<String> seen = new ArrayList<>();

        Recorder(Set<String> types) {
            this.types = types;
        }

        @Override
        public Set<String> types() {
            return types;
        }

        @Override
        public void handle(ChangeRecord record) {
            seen.add(record.type());
        }
    }
}
