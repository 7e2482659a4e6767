package io.menuboard.pricing.changes;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Attribution;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.approvals.Approval;
import io.menuboard.pricing.changes.ChangeSetData.Event;
import io.menuboard.pricing.changes.ChangeSetData.Missing;
import io.menuboard.pricing.changes.ChangeSetData.Origin;
import io.menuboard.pricing.changes.ChangeSetData.Preview;
import io.menuboard.querydb.Item;
import io.menuboard.tasks.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the item of a change set says.
 *
 * @param shards of old sets whose items do not say how many they have
 */
record DynamoChangeSetItems(int shards) {
    static final String STATUS = "status";
    static final String RUN = "run";
    static final String TOKEN = "token";
    static final String TASK = "task";
    static final String CHECKED = "checked";
    static final String BY_CANCEL = "byCancel";
    static final String EVENTS = "events";
    /** The preview that it is about, and the approval's cells. */
    static final String APPROVAL = "approval";

    ChangeSet set(Item item) {
        var status = ChangeSetStatus.valueOf(item.string(STATUS));
        var data = data(item);
        var task = item.findString(TASK).map(TaskId::new).orElse(null);
        return switch (status) {
            case DRAFT ->
                data.preview() != null && data.preview().isCurrent()
                        ? new ChangeSet.Previewed(data)
                        : new ChangeSet.Draft(data, task);
            case SCHEDULED -> new ChangeSet.Scheduled(data, false);
            case APPLYING ->
                new ChangeSet.Applying(data, task, item.attributes().containsKey(CHECKED));
            case APPLIED, PARTLY_APPLIED, FAILED, CANCELLED, UNDONE ->
                new ChangeSet.Ended(
                        data,
                        status,
                        item.findString("appliedAt").map(Instant::parse).orElse(null),
                        status == ChangeSetStatus.CANCELLED || item.attributes().containsKey(BY_CANCEL));
        };
    }

    private ChangeSetData data(Item item) {
        var id = new ChangeSetId(item.key().partition().substring("CHANGESET#".length()));
        var isCurrent = item.findString(TOKEN).isPresent();
        var summary = item.findString("summary").map(ChangeSetSummary::of);
        var shardsOf = item.findNumber("shards").map(Number::intValue).orElse(shards);
        return new ChangeSetData(
                new Attribution(id, Actor.parse(item.string("actor")), item.string("reason")),
                item.string("name"),
                item.findString("effectiveDate").map(EffectiveDate::inKey).orElse(null),
                new Origin(
                        set(item, "undoes"),
                        set(item, "retries"),
                        item.findString("import").map(ImportId::new).orElse(null)),
                (int) item.integer(RUN),
                item.findString("preview")
                        .map(preview -> new Preview(
                                preview, shardsOf, summary.orElseThrow(), isCurrent, approval(item, preview)))
                        .orElse(null),
                new Missing(number(item, "failed"), number(item, "takenBack"), number(item, "overtaken")),
                set(item, "undoneBy"),
                set(item, "restoredBy"),
                item.findString("problem").orElse(null),
                item.attributes().containsKey(EVENTS)
                        ? item.strings(EVENTS).stream()
                                .flatMap(text -> Event.parse(text).stream())
                                .toList()
                        : List.of());
    }

    private static @Nullable ChangeSetId set(Item item, String attribute) {
        return item.findString(attribute).map(ChangeSetId::new).orElse(null);
    }

    private static int number(Item item, String name) {
        return item.findNumber(name).map(Number::intValue).orElse(0);
    }

    /** Null where nobody was asked about the preview. */
    static @Nullable List<String> cells(@Nullable Preview preview) {
        if (preview == null || preview.approval() == null) {
            return null;
        }
        var cells = new ArrayList<>(List.of(preview.id()));
        cells.addAll(preview.approval().cells());
        return cells;
    }

    /** Null also where what is there is about an earlier preview. */
    private static @Nullable Approval approval(Item item, String preview) {
        if (!item.attributes().containsKey(APPROVAL)) {
            return null;
        }
        var cells = item.strings(APPROVAL);
        return cells.getFirst().equals(preview) ? Approval.of(cells.subList(1, cells.size())) : null;
    }

    /** When a set is kept no more: so long after the last of its changes takes effect, or after it was made. */
    static Instant gone(ChangeSet set, Duration keptFor) {
        var date = set.effectiveDate();
        var summary = set.summary();
        return Stream.of(
                        Optional.of(set.createdAt()),
                        Optional.ofNullable(date).map(EffectiveDate::startsEverywhereBy),
                        Optional.ofNullable(summary == null ? null : summary.lastInstant()))
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElseThrow()
                .plus(keptFor);
    }
}
