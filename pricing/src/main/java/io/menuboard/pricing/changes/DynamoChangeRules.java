package io.menuboard.pricing.changes;

import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.ChangeRules;
import io.menuboard.querydb.Consistency;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.Save;
import io.menuboard.querydb.SaveMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rules of change sets as items {@code CHANGESET#{id}}/{@code RULES#{0000…}}; short ones are in the set's own item. They
 * expire with the set.
 */
final class DynamoChangeRules {
    /** Attribute that has rules, also in the set's own item. */
    static final String RULES = "rules";

    /** Characters of one rule: at three bytes each, less than the 400 KB that an item may have. */
    static final int LONGEST_RULE = 120_000;

    private static final String PREFIX = "RULES#";

    /** Characters of rules that are in the set's own item, which is to stay below one KB. */
    private static final int LONGEST_RULES_IN_SET = 200;

    /** Characters of rules in one item, but for one that has more itself. */
    private static final int RULES_AT_ONCE = 60_000;

    private final QueryDb db;
    private final Duration keptFor;

    DynamoChangeRules(QueryDb db, Duration keptFor) {
        this.db = db;
        this.keptFor = keptFor;
    }

    /**
     * Saves the rules of a set that is yet to be made; one write unit per KB.
     *
     * @return texts of rules that are short enough for the set's own item, which is to have them
     */
    List<String> save(ChangeSet set, List<ChangeRule> rules) {
        var texts = rules.stream().map(ChangeRules::text).toList();
        if (texts.stream().mapToInt(String::length).sum() <= LONGEST_RULES_IN_SET) {
            return texts;
        }
        db.saveBatch(saves(set, texts)).orThrow();
        return List.of();
    }

    /** Saves some rules of a set that is yet to be made; one write unit per KB. */
    void save(ChangeSet set, int number, List<ChangeRule> rules) {
        db.saveBatch(List.of(save(set, number, rules.stream().map(ChangeRules::text))))
                .orThrow();
    }

    private List<Save> saves(ChangeSet set, List<String> texts) {
        var saves = new ArrayList<Save>();
        var some = new ArrayList<String>();
        var length = 0;
        for (var text : texts) {
            if (!some.isEmpty() && length + text.length() > RULES_AT_ONCE) {
                saves.add(save(set, saves.size(), some.stream()));
                some.clear();
                length = 0;
            }
            some.add(text);
            length += text.length();
        }
        saves.add(save(set, saves.size(), some.stream()));
        return saves;
    }

    private Save save(ChangeSet set, int number, Stream<String> texts) {
        return new Save(
                Item.at(new Key(DynamoChangeSets.partition(set.id()), PREFIX + "%07d".formatted(number)))
                        .type("changeRules")
                        .strings(RULES, texts.toList())
                        .ttl(DynamoChangeSetItems.gone(set, keptFor))
                        .build(),
                SaveMode.ANY);
    }

    /** Rules of a set, in order, as they are consumed. */
    Stream<ChangeRule> of(ChangeSetId id) {
        // The set's own item, which may have them, comes before those that otherwise do.
        var query =
                Query.table("changeRules", DynamoChangeSets.partition(id)).between(DynamoChangeSets.META, PREFIX + "~");
        return db.all(query, Consistency.STRONG)
                .filter(item -> item.attributes().containsKey(RULES))
                .map(item -> db.read(item, some -> some.strings(RULES).stream()
                        .map(ChangeRules::of)
                        .toList()))
                .flatMap(List::stream);
    }
}
