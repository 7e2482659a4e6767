package io.menuboard.pricing.imports;

import io.menuboard.access.Permission;
import java.util.List;

/** Kind of an imported file: the meaning of its rows. */
@SuppressWarnings("ImmutableEnumChecker") // the lists come from List.of
public enum ImportKind {
    /** One store in each row. */
    STORES(
            "stores",
            List.of(
                    "id",
                    "name",
                    "street",
                    "city",
                    "region",
                    "postalCode",
                    "country",
                    "timeZone",
                    "currency",
                    "status"),
            List.of("id", "name", "timeZone", "currency")),

    /** One price in each row: of a product, or of an option in a combo. */
    PRICES(
            "prices",
            List.of("store", "channel", "product", "combo", "option", "effectiveDate", "amount", "currency"),
            List.of("store", "effectiveDate", "amount")),

    /** One change of a price in each row. */
    CHANGES(
            "changes",
            List.of("store", "channel", "product", "combo", "option", "operation", "amount", "percent", "ending"),
            List.of("store", "operation"));

    private final String label;
    private final List<String> columns;
    private final List<String> required;

    ImportKind(String label, List<String> columns, List<String> required) {
        this.label = label;
        this.columns = columns;
        this.required = required;
    }

    /** What it takes to import such a file, of the stores that its rows are about. */
    public Permission permission() {
        return switch (this) {
            case STORES -> Permission.STORES_EDIT;
            case PRICES -> Permission.PRICES_APPLY;
            case CHANGES -> Permission.PRICES_DRAFT;
        };
    }

    /** {@code stores}, {@code prices} or {@code changes}. */
    public String label() {
        return label;
    }

    /** Every column that such a file may have, in the order that exports use. */
    public List<String> columns() {
        return columns;
    }

    /** The columns that such a file must have. */
    public List<String> required() {
        return required;
    }
}
