package io.menuboard.messaging;

import static java.util.stream.Collectors.toMap;

import io.menuboard.querydb.ChangeRecord;
import java.util.List;
import java.util.Map;

/** Hands a batch of changes to a handler that wants those of some types; changes of other types are done. */
record ChangeBatches(ChangeBatchHandler handler) implements BatchHandler<ChangeRecord> {

    @Override
    public ChangeRecord read(String body) {
        return ChangeRecord.parse(body);
    }

    @Override
    public Map<ChangeRecord, NotDone> handle(List<ChangeRecord> messages) {
        var types = handler.types();
        var wanted = messages.stream()
                .filter(change -> types.contains(change.type()))
                .toList();
        return wanted.isEmpty()
                ? Map.of()
                : handler.handle(wanted).entrySet().stream()
                        .collect(toMap(Map.Entry::getKey, failed -> new NotDone.Failed(failed.getValue())));
    }
}
