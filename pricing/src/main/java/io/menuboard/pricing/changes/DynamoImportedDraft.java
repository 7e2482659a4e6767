package io.menuboard.pricing.changes;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.querydb.Write;
import java.util.List;

/** A draft whose lines are the rows of a file, previewed as they are read. Hidden until {@link #finish}. */
public final class DynamoImportedDraft {
    private final ChangeSet.Draft set;
    private final ChangePreview preview;
    private final DynamoChangeSets sets;

    DynamoImportedDraft(ChangeSet.Draft set, ChangePreview preview, DynamoChangeSets sets) {
        this.set = set;
        this.preview = preview;
        this.sets = sets;
    }

    /**
     * Previews rows, in any order, and keeps those that change something; one finding for each, in order. Half a read unit
     * for every 4 KB of prices of the same store and channel, and what is kept.
     */
    public List<ChangeLine> preview(List<RequestedChange> rows) {
        return preview.checkRows(rows, ChangePreview.Unwritten.COUNTED);
    }

    /** Keeps the rules of some rows, so that the draft can be previewed again. One write unit per KB. */
    public void keep(int firstRow, List<ChangeRule> rules) {
        if (!rules.isEmpty()) {
            sets.rules().save(set, firstRow, rules);
        }
    }

    /** The id that the draft will have. */
    public ChangeSetId id() {
        return set.id();
    }

    /** Number of lines that applying the draft would write. */
    public int written() {
        return preview.summary().written();
    }

    /**
     * Makes the draft known, when its file has been read to the end, together with another write. Six write units, and twice those of
     * the other.
     *
     * @throws io.menuboard.querydb.ConditionFailed where the condition of that write does not hold; the draft stays hidden
     */
    public void finish(Write together) {
        sets.create(set.previewed(1, preview.finished()).to(), together);
    }
}
