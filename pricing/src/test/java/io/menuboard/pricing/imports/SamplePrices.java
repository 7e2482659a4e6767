package io.menuboard.pricing.imports;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.csv.CsvWriter;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.SwapPrice;
import io.menuboard.pricing.changes.ChangeSet;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSetStatus;
import io.menuboard.pricing.changes.ChangeSets;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Gives stores the prices that tests need, as everybody does: a file is imported, and its draft applied. */
public final class SamplePrices {
    private static final Access IMPORTER = new Access(Principal.withEveryRole("sample"), Actor.Source.COMMAND_LINE);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private SamplePrices() {}

    /** Those of a list, whose stores there must be. */
    public static ChangeSet save(Imports imports, ChangeSets sets, List<? extends Price> prices) {
        var file = csv(prices).getBytes(UTF_8);
        var files = List.of(
                new ImportFile(ImportKind.PRICES, "sample.csv", file.length, () -> new ByteArrayInputStream(file)));
        var ended = imports.run(
                IMPORTER, imports.begin(IMPORTER, files).id(), files, ImportAbout.FILE, ImportListener.NONE);
        if (ended.state() != ImportState.FINISHED || ended.rejected() > 0) {
            throw new IllegalStateException("not every price was imported: " + ended);
        }
        return apply(sets, Objects.requireNonNull(ended.changeSet()));
    }

    /** Applies what an import drafted, and waits for the end. */
    public static ChangeSet apply(ChangeSets sets, ChangeSetId id) {
        var draft = sets.find(IMPORTER, id).orElseThrow();
        var result = sets.applyAccepted(IMPORTER, id, String.valueOf(draft.token()));
        if (!(result instanceof ChangeSetResult.Done)) {
            throw new IllegalStateException("not applied: " + result);
        }
        return await().atMost(PATIENCE)
                .until(
                        () -> sets.find(IMPORTER, id).orElseThrow(),
                        set -> set.status() != ChangeSetStatus.APPLYING || set.task() == null);
    }

    private static String csv(List<? extends Price> prices) {
        var text = new StringBuilder();
        try (var writer = new CsvWriter(text)) {
            writer.row(ImportKind.PRICES.columns());
            for (var price : prices) {
                writer.row(row(price));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("a StringBuilder takes everything", e);
        }
        return text.toString();
    }

    /** In the order of the columns: store, channel, product, combo, option, effectiveDate, amount, currency. */
    private static List<String> row(Price price) {
        var product = price instanceof BasePrice base ? base.product().value() : "";
        var combo = price instanceof SwapPrice swap ? swap.combo().value() : "";
        var option = price instanceof SwapPrice swap ? swap.option().value() : "";
        return List.of(
                price.store().id().value(),
                price.channel().value(),
                product,
                combo,
                option,
                price.effectiveDate().toString(),
                price.price().amount().toPlainString(),
                price.price().currency().getCurrencyCode());
    }
}
