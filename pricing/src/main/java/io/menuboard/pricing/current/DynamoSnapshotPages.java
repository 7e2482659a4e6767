package io.menuboard.pricing.current;

import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.BasePrice;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.ComboId;
import io.menuboard.pricing.DynamoPriceVersions;
import io.menuboard.pricing.EffectiveDate;
import io.menuboard.pricing.Price;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.SwapPrice;
import io.menuboard.querydb.Query;
import io.menuboard.querydb.QueryDb;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pages of snapshots, with the cursors that the same lists of the table have. No requests. */
final class DynamoSnapshotPages {
    private final QueryDb db;

    DynamoSnapshotPages(QueryDb db) {
        this.db = db;
    }

    Page<BasePrice> basePrices(
            PriceSnapshot prices, Store store, Channel channel, String productPrefix, Instant at, PageRequest page) {
        return page(
                prices,
                DynamoPriceVersions.basePrices(store.id(), channel, productPrefix),
                "Base#" + productPrefix,
                reader(prices, store, channel, at, BasePrice.class),
                channel,
                page);
    }

    Page<SwapPrice> swapPrices(
            PriceSnapshot prices, Store store, Channel channel, @Nullable ComboId combo, Instant at, PageRequest page) {
        return page(
                prices,
                DynamoPriceVersions.swapPrices(store.id(), channel, combo),
                "Swap#" + (combo == null ? "" : combo + "#"),
                reader(prices, store, channel, at, SwapPrice.class),
                channel,
                page);
    }

    private static <T extends Price> Function<Integer, Optional<T>> reader(
            PriceSnapshot prices, Store store, Channel channel, Instant at, Class<T> type) {
        var latest = EffectiveDate.latestAt(at, store.timeZone());
        return subject -> Optional.ofNullable(price(prices, store, channel, subject, latest))
                .map(type::cast);
    }

    /** The price of a subject that counts on the latest date that has begun; null where there is none. */
    static @Nullable Price price(
            PriceSnapshot prices, Store store, Channel channel, int subject, EffectiveDate latest) {
        var version = prices.inEffect(subject, latest);
        if (version < 0) {
            return null;
        }
        var date = prices.date(version);
        var amount = prices.amount(version);
        var end = prices.firstAfter(subject, latest);
        return switch (prices.subject(subject)) {
            case PriceSubject.Product(var product) -> new BasePrice(store, channel, product, date, amount, end);
            case PriceSubject.Swap(var combo, var option) ->
                new SwapPrice(store, channel, combo, option, date, amount, end);
        };
    }

    private <T> Page<T> page(
            PriceSnapshot prices,
            Query list,
            String prefix,
            Function<Integer, Optional<T>> edge,
            Channel channel,
            PageRequest page) {
        var subjects = new Numbers(
                prices.indexOf(prefix), prices.indexOf(prefix + Character.toString(Character.MAX_CODE_POINT)));
        return db.page(
                list,
                subjects,
                subject -> channel + "#" + prices.subject(subject) + "#",
                some -> some.stream().map(edge).toList(),
                page);
    }

    /** Numbers from one on, up to another one. */
    private static final class Numbers extends AbstractList<Integer> implements RandomAccess {
        private final int first;
        private final int end;

        Numbers(int first, int end) {
            this.first = first;
            this.end = end;
        }

        @Override
        public Integer get(int index) {
            return first + index;
        }

        @Override
        public int size() {
            return end - first;
        }

        @Override
        public List<Integer> subList(int from, int to) {
            return new Numbers(first + from, first + to);
        }
    }
}
