package io.menuboard.messaging.feed;

import io.menuboard.querydb.ChangeRecord;
import io.menuboard.querydb.Item;
import java.util.Set;

/**
 * Hears of changes of items in every instance, where {@code menuboard.feed.topic-arn} is set. A change is only a hint: it
 * comes to each instance about a second later where all goes well, perhaps late, twice, out of order, or never. So whoever
 * listens looks by itself now and then, too, and what it does must be right without any hint.
 */
public interface FeedListener {

    /** The types of items ({@link Item#type()}) whose changes it wants, one at least; the same at every call. */
    Set<String> types();

    /**
     * Called by one thread, one change after the other, those of all listeners too; must be quick and do no I/O. What it
     * throws is logged, and the change does not come again.
     */
    void changed(ChangeRecord record);
}
