package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a page names change sets: by their names, with a link, where its reader may see them, and otherwise by the end of the id,
 * which is no secret where one of the reader's own stores is among those of the set.
 *
 * @param visible names of the sets that may be seen
 */
record ChangeSetNames(Map<ChangeSetId, String> visible) {
    private static final int SHORT = 8;

    /** Looks them up together, one read unit for each set. One that only another version can read is as one out of sight. */
    static ChangeSetNames of(ChangeSets sets, Access access, Stream<ChangeSetId> ids) {
        var asked = ids.distinct().toList();
        List<ChangeSet> found;
        try {
            found = sets.findAll(access, asked);
        } catch (UnreadableItem _) {
            found = asked.stream().flatMap(id -> readable(sets, access, id)).toList();
        }
        return new ChangeSetNames(found.stream().collect(Collectors.toMap(ChangeSet::id, ChangeSet::name)));
    }

    private static Stream<ChangeSet> readable(ChangeSets sets, Access access, ChangeSetId id) {
        try {
            return sets.find(access, id).stream();
        } catch (UnreadableItem _) {
            return Stream.empty();
        }
    }

    Reference reference(ChangeSetId id) {
        var name = visible.get(id);
        return name == null
                ? Reference.of("…" + id.value().substring(id.value().length() - SHORT), null)
                : Reference.of(name, ChangeWords.link(id));
    }
}
