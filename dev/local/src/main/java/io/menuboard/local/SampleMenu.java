package io.menuboard.local;

import java.util.ArrayList;
import java.util.List;

/** Menu of the sample: products in the order in which a small menu would have them, and combos. */
final class SampleMenu {
    /** Most products there are. */
    static final int MAX_PRODUCTS = 500;

    private static final List<String> BURGERS = List.of(
            "HAMBURGER 2.2",
            "CHEESEBURGER 2.6",
            "CHICKEN-BURGER 3.9",
            "VEGGIE-BURGER 3.8",
            "FISH-BURGER 4.1",
            "DOUBLE-BURGER 4.9",
            "BACON-BURGER 5.2",
            "MUSHROOM-BURGER 4.8",
            "HALLOUMI-BURGER 5.1",
            "BEAN-BURGER 3.6",
            "LAMB-BURGER 6.4",
            "PULLED-PORK-BURGER 5.8",
            "TERIYAKI-BURGER 4.7",
            "CAMEMBERT-BURGER 5.3");
    private static final List<String> BURGER_STYLES = List.of(
            "",
            "SPICY- 0.3",
            "BBQ- 0.4",
            "DELUXE- 0.9",
            "JALAPENO- 0.5",
            "TRUFFLE- 1.4",
            "GLUTEN-FREE- 0.8",
            "KIDS- -0.6");
    private static final List<String> SIDES = List.of(
            "FRIES 2.1",
            "WEDGES 2.5",
            "ONION-RINGS 2.7",
            "NUGGETS 3.4",
            "COLESLAW 1.6",
            "CORN 1.9",
            "CHILI-CHEESE-BITES 3.1",
            "MOZZARELLA-STICKS 3.5",
            "SWEET-POTATO-FRIES 3.2",
            "GARLIC-BREAD 2.3",
            "HASH-BROWNS 1.5",
            "CHICKEN-WINGS 4.6",
            "FRIED-PICKLES 2.4",
            "EDAMAME 2.6",
            "MAC-AND-CHEESE 3.3");
    private static final List<String> DRINKS = List.of(
            "COLA 1.8",
            "COLA-ZERO 1.8",
            "LEMONADE 1.8",
            "ICE-TEA 1.9",
            "ORANGE-JUICE 2.4",
            "APPLE-JUICE 2.2",
            "WATER 1.4",
            "SPARKLING-WATER 1.5",
            "GINGER-ALE 1.9",
            "MANGO-LASSI 2.8",
            "GUARANA 2.0",
            "ROOT-BEER 1.9",
            "PEACH-ICE-TEA 1.9",
            "TONIC 1.9",
            "ORANGEADE 1.8",
            "CHERRY-COLA 1.9",
            "GRAPE-JUICE 2.3",
            "TOMATO-JUICE 2.3",
            "ELDERFLOWER 2.1",
            "COCONUT-WATER 2.9");
    private static final List<String> COFFEES = List.of(
            "COFFEE 1.9",
            "CAPPUCCINO 2.9",
            "LATTE 3.1",
            "FLAT-WHITE 3.2",
            "MOCHA 3.6",
            "HOT-CHOCOLATE 2.8",
            "CHAI 2.7",
            "MATCHA-LATTE 3.9",
            "ESPRESSO 1.7",
            "AMERICANO 2.1",
            "CORTADO 2.5",
            "ICED-LATTE 3.3");
    private static final List<String> DESSERTS = List.of(
            "SUNDAE 2.4",
            "MILKSHAKE 3.4",
            "SOFT-ICE 1.3",
            "BROWNIE 2.6",
            "CHEESECAKE 3.3",
            "MUFFIN 2.2",
            "DONUT 1.7",
            "APPLE-PIE 1.9",
            "WAFFLE 3.5",
            "COOKIE 1.2",
            "PANCAKES 3.6",
            "CHURROS 2.8",
            "PARFAIT 2.9");
    private static final List<String> FLAVOURS = List.of(
            "",
            "-CHOCOLATE 0.2",
            "-STRAWBERRY 0.2",
            "-CARAMEL 0.3",
            "-VANILLA 0.1",
            "-BANANA 0.2",
            "-PISTACHIO 0.6",
            "-SALTED-CARAMEL 0.5");
    private static final List<String> SIZES = List.of("-SMALL -0.3", "-MEDIUM", "-LARGE 0.5", "-XL 0.9");
    private static final List<String> WRAPS = List.of(
            "WRAP 4.2",
            "SALAD 5.1",
            "BOWL 6.3",
            "BURRITO 5.6",
            "TOAST 3.1",
            "BAGEL 3.7",
            "QUESADILLA 4.4",
            "PANINI 4.0");
    private static final List<String> FILLINGS = List.of(
            "CHICKEN-",
            "FALAFEL- -0.2",
            "BEEF- 0.6",
            "TUNA- 0.3",
            "CAESAR- 0.2",
            "GREEK- 0.1",
            "TOFU- -0.1",
            "EGG- -0.4",
            "AVOCADO- 0.7",
            "SALMON- 0.9",
            "HUMMUS- -0.2",
            "TERIYAKI- 0.3");

    private SampleMenu() {}

    /** @param dollars what it would cost at a price level of one */
    record Product(String id, double dollars) {}

    /** @param dollars what the swap costs on top */
    record Swap(String combo, String option, double dollars) {}

    /** The first so many products; a small menu has something of everything. */
    static List<Product> products(int count) {
        var groups = List.of(
                times(BURGER_STYLES, BURGERS),
                times(SIZES, DRINKS),
                times(SIZES, SIDES),
                times(FLAVOURS, DESSERTS),
                times(SIZES, COFFEES),
                times(FILLINGS, WRAPS));
        var products = new ArrayList<Product>();
        for (var i = 0; products.size() < Math.min(count, MAX_PRODUCTS); i++) {
            for (var group : groups) {
                if (i < group.size() && products.size() < count) {
                    products.add(group.get(i));
                }
            }
        }
        return products;
    }

    /** Each burger of the menu comes as a combo, in which the side and the drink can be swapped. */
    static List<Swap> swaps(List<Product> products) {
        var swaps = new ArrayList<Swap>();
        products.stream()
                .filter(product -> product.id().endsWith("BURGER"))
                .limit(8)
                .map(product -> "MENU-" + product.id())
                .forEach(combo -> {
                    swaps.add(new Swap(combo, "FRIES-LARGE", 0.5));
                    swaps.add(new Swap(combo, "ONION-RINGS-MEDIUM", 0.7));
                    swaps.add(new Swap(combo, "SWEET-POTATO-FRIES-MEDIUM", 1.0));
                    swaps.add(new Swap(combo, "COLA-LARGE", 0.4));
                    swaps.add(new Swap(combo, "MILKSHAKE", 1.2));
                });
        return swaps;
    }

    /** Every base in the first style, then every base in the next. A style ends or begins with the hyphen that joins it. */
    private static List<Product> times(List<String> styles, List<String> bases) {
        var products = new ArrayList<Product>();
        for (var style : styles) {
            var name = name(style);
            for (var base : bases) {
                var id = name.endsWith("-") ? name + name(base) : name(base) + name;
                products.add(new Product(id, dollars(base) + dollars(style)));
            }
        }
        return products;
    }

    private static String name(String entry) {
        return entry.split(" ", 2)[0];
    }

    private static double dollars(String entry) {
        var parts = entry.split(" ", 2);
        return parts.length == 1 ? 0 : Double.parseDouble(parts[1]);
    }
}
