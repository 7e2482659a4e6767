package io.menuboard.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.menuboard.querydb.ChangeRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChangeMessagesTest {

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
    void aHandlerThatFailsKeepsNoOtherFromTheChange() {
        var before = new Recorder(Set.of("a"));
        var after = new Recorder(Set.of("a"));
        var work = new ChangeMessages(List.of(before, new Failing(), after)).read(change("a"));

        assertThatIllegalStateException().isThrownBy(work::perform).withMessage("no bus");

        assertThat(before.seen).containsExactly("a");
        assertThat(after.seen).containsExactly("a");
    }

    private static final class Failing implements ChangeHandler {
        @Override
        public Set<String> types() {
            return Set.of("a");
        }

        @Override
        public void handle(ChangeRecord record) {
            throw new IllegalStateException("no bus");
        }
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
