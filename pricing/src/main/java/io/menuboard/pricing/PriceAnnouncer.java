package io.menuboard.pricing;

import io.menuboard.querydb.ChangeHandler;
import io.menuboard.querydb.ChangeRecord;
import java.util.Objects;
import java.util.Set;

/** Announces each price that has changed, from its history, to whoever listens to the bus. */
final class PriceAnnouncer implements ChangeHandler {
    private final PriceEvents events;

    PriceAnnouncer(PriceEvents events) {
        this.events = events;
    }

    @Override
    public Set<String> types() {
        return Set.of(PriceHistory.TYPE);
    }

    @Override
    public void handle(ChangeRecord record) {
        var item = record.after();
        if (record.kind() != ChangeRecord.Kind.CREATED || item == null) {
            return;
        }
        var entry = PriceHistory.entry(item);
        if (Objects.equals(entry.before(), entry.after())) {
            return; // an earlier change had made it so already
        }
        events.publish(new PriceUpdated(
                entry.changeSet() + "#" + entry.store() + "#" + entry.channel() + "#" + entry.subject(),
                entry.store(),
                entry.channel(),
                entry.subject().type(),
                entry.subject().name(),
                entry.at(),
                entry.before(),
                entry.after(),
                entry.changeSet().value()));
    }
}
