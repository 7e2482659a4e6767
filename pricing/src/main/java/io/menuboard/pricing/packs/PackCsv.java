package io.menuboard.pricing.packs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import io.menuboard.kernel.csv.CsvWriter;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.current.MenuPlan;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writes packs as CSV, a row for each step of each item, with the head of the pack in all of them. Where nothing is sold any more,
 * amount, currency and the channel of the price are empty. A pack without items has one row, with nothing but the head, so that it
 * is signed for its own store, channel and hour, too. Tills read them: ids are those that packs as JSON have.
 */
final class PackCsv {
    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final List<String> COLUMNS = List.of(
            "format",
            "store",
            "timeZone",
            "channel",
            "revisions",
            "validFrom",
            "validUntil",
            "product",
            "combo",
            "option",
            "startsAt",
            "effectiveDate",
            "amount",
            "currency",
            "priceChannel");

    private PackCsv() {}

    static void write(MenuPlan plan, OutputStream out) throws IOException {
        var writer = new OutputStreamWriter(out, UTF_8);
        writer.write(BYTE_ORDER_MARK);
        try (var csv = CsvWriter.forPrograms(writer)) {
            csv.row(COLUMNS);
            var head = head(plan);
            if (plan.items().isEmpty()) {
                csv.row(headAlone(head));
            }
            for (var item : plan.items()) {
                for (var step : item.steps()) {
                    csv.row(row(head, item.subject(), step));
                }
            }
        }
    }

    private static List<Object> head(MenuPlan plan) {
        return List.of(
                PricePacks.FORMAT,
                plan.store().id(),
                plan.store().timeZone().getId(),
                plan.channel(),
                plan.revisions().entrySet().stream()
                        .map(revision -> revision.getKey() + "=" + revision.getValue())
                        .collect(joining(" ")),
                plan.from(),
                plan.until());
    }

    private static List<Object> headAlone(List<Object> head) {
        var cells = new ArrayList<>(head);
        cells.addAll(Collections.nCopies(COLUMNS.size() - head.size(), ""));
        return cells;
    }

    private static List<Object> row(List<Object> head, PriceSubject subject, MenuPlan.Step step) {
        var cells = new ArrayList<>(head);
        switch (subject) {
            case PriceSubject.Product(var product) -> cells.addAll(List.of(product, "", ""));
            case PriceSubject.Swap(var combo, var option) -> cells.addAll(List.of("", combo, option));
        }
        cells.add(step.startsAt());
        cells.add(step.date());
        var price = step.price();
        cells.addAll(
                price == null
                        ? List.of("", "", "")
                        : List.of(
                                price.amount().amount(),
                                price.amount().currency().getCurrencyCode(),
                                price.channel()));
        return cells;
    }
}
