package io.menuboard.querydb;

import org.jspecify.annotations.Nullable;

/** Rules that a table must keep for {@link QueryDb}. */
final class TableRules {

    private TableRules() {}

    /** Throws {@link IllegalArgumentException} naming the first rule that is broken. */
    static void check(TableDefinition table) {
        require(
                isString(table.hash(), Item.PARTITION) && isString(table.range(), Item.SORT),
                table,
                "has other keys than the strings pk and sk");
        require(table.ttl() == null || table.ttl().equals(Item.TTL), table, "has another TTL attribute than ttl");
        for (var index : table.indexes()) {
            require(
                    isString(index.hash(), index.hash().name())
                            && index.range() != null
                            && isString(index.range(), index.range().name()),
                    table,
                    "has an index without two string keys: " + index.name());
            require(
                    table.ttl() == null || index.projection().includes(table.ttl()),
                    table,
                    "has an index that cannot tell what has expired: " + index.name());
        }
    }

    private static boolean isString(TableDefinition.@Nullable KeyAttribute key, String name) {
        return TableDefinition.KeyAttribute.string(name).equals(key);
    }

    private static void require(boolean holds, TableDefinition table, String fault) {
        if (!holds) {
            throw new IllegalArgumentException("table " + table.name() + " " + fault);
        }
    }
}
