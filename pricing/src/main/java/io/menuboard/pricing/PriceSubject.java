package io.menuboard.pricing;

/** Subject of a price: a product, or an option of a combo. */
public sealed interface PriceSubject {

    /** A product on its own. */
    record Product(ProductId product) implements PriceSubject {
        @Override
        public String toString() {
            return "Base#" + product;
        }
    }

    /** One thing taken for another in a combo. */
    record Swap(ComboId combo, OptionId option) implements PriceSubject {
        @Override
        public String toString() {
            return "Swap#" + combo + "#" + option;
        }
    }

    /** {@code Base} or {@code Swap}, the first part of its text. */
    default String type() {
        return switch (this) {
            case Product _ -> "Base";
            case Swap _ -> "Swap";
        };
    }

    /** The rest of its text: {@code {product}}, or {@code {combo}#{option}}. */
    default String name() {
        return toString().substring(type().length() + 1);
    }

    /** The subject that {@code toString} wrote: {@code Base#{product}} or {@code Swap#{combo}#{option}}, as in keys. */
    static PriceSubject of(String text) {
        var parts = text.split("#", -1);
        return switch (parts[0]) {
            case "Base" -> new Product(new ProductId(parts[1]));
            case "Swap" -> new Swap(new ComboId(parts[1]), new OptionId(parts[2]));
            default -> throw new IllegalArgumentException("no subject of a price: " + text);
        };
    }
}
