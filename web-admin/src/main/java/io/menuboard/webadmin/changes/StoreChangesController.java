package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Store;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.batches.ChangeBatches;
import io.menuboard.pricing.batches.UpcomingChange;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.webadmin.prices.ChannelField;
import io.menuboard.webadmin.prices.EffectiveDates;
import io.menuboard.webadmin.prices.StoreHeader;
import io.menuboard.webadmin.ui.Amounts;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.Listing;
import io.menuboard.webadmin.ui.lists.Lists;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The changes of one store's prices that are to come, by channel. */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/stores/{store}")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class StoreChangesController {
    private static final ListKind LIST =
            ListKind.of("stores/changes", "change", "changes").filteredBy(ChannelField.NAME, "from", "to");

    private final ChangeBatches batches;
    private final ChangeSets sets;
    private final Stores stores;
    private final Pricing pricing;
    private final Lists lists;

    StoreChangesController(ChangeBatches batches, ChangeSets sets, Stores stores, Pricing pricing, Lists lists) {
        this.batches = batches;
        this.sets = sets;
        this.stores = stores;
        this.pricing = pricing;
        this.lists = lists;
    }

    /** Fields of the form, as they were sent; moments are on the store's clock. */
    private record Filter(Store store, String channel, String from, String to) {
        Channel askedChannel() {
            return ChannelField.parse(channel);
        }

        @Nullable
        Instant moment(String field, String text) {
            return text.isEmpty() ? null : EffectiveDates.parse(field, text).startsAt(store.timeZone());
        }

        Link on(Link list) {
            return list.with(ChannelField.NAME, ChannelField.text(channel))
                    .with("from", from)
                    .with("to", to);
        }
    }

    @Get("/changes")
    HttpResponse<?> list(
            HttpRequest<?> request,
            Access access,
            String store,
            @Nullable String channel,
            @Nullable String from,
            @Nullable String to) {
        var filter = filter(access, store, channel, from, to);
        var now = pricing.now();
        var amounts = Amounts.of(request);
        return lists.page(
                        request,
                        LIST,
                        filter.on(Link.to("stores", store, "changes")),
                        filter.on(Link.to("stores", store, "changes.csv")))
                .show(
                        page -> batches.upcoming(
                                access,
                                filter.store().id(),
                                filter.askedChannel(),
                                filter.moment("from", filter.from()),
                                filter.moment("to", filter.to()),
                                page),
                        content -> {
                            var names = ChangeSetNames.of(
                                    sets,
                                    access,
                                    content.page().nodes().stream().map(UpcomingChange::changeSet));
                            return view(
                                    access,
                                    filter,
                                    content.listing(() -> nothing(access, filter)),
                                    content.rows(change -> StoreChangesPage.Row.of(change, now, amounts, names)));
                        });
    }

    @Get(uri = "/changes.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(
            Access access, String store, @Nullable String channel, @Nullable String from, @Nullable String to) {
        var filter = filter(access, store, channel, from, to);
        var asked = filter.askedChannel();
        var begin = filter.moment("from", filter.from());
        var end = filter.moment("to", filter.to());
        return CsvDownload.of("changes-" + store + ".csv", ChangeCsv.UPCOMING_COLUMNS, page -> batches.upcoming(
                        access, filter.store().id(), asked, begin, end, page)
                .map(ChangeCsv::row));
    }

    private Filter filter(
            Access access, String store, @Nullable String channel, @Nullable String from, @Nullable String to) {
        return new Filter(
                stores.find(access, new StoreId(store)).orElseThrow(() -> StoreHeader.notFound(store)),
                Objects.requireNonNullElse(channel, "").strip(),
                Objects.requireNonNullElse(from, "").strip(),
                Objects.requireNonNullElse(to, "").strip());
    }

    private StoreChangesPage view(Access access, Filter filter, Listing listing, List<StoreChangesPage.Row> rows) {
        return new StoreChangesPage(
                StoreHeader.of(filter.store(), pricing.now()),
                ChannelField.choices(pricing.channels(access, filter.store().id()), filter.channel()),
                filter.from(),
                filter.to(),
                Link.to("changes", "new")
                        .with("store", filter.store().id().value())
                        .with(ChannelField.NAME, filter.channel())
                        .toString(),
                listing,
                rows);
    }

    private static Listing.Empty nothing(Access access, Filter filter) {
        var store = filter.store().id().value();
        var drafts = access.may(Permission.PRICES_DRAFT);
        return filter.from().isEmpty() && filter.to().isEmpty()
                ? new Listing.Empty(
                        "Nothing is to change in this channel",
                        "Changes are listed here from the moment that their set is applied until they are in effect.",
                        (drafts ? Link.to("changes", "new").with("store", store) : Link.to("stores", store)).toString(),
                        drafts ? "Change prices" : "Prices now")
                : new Listing.Empty(
                        "Nothing is to change at that time",
                        "It may be earlier or later.",
                        new Filter(filter.store(), filter.channel(), "", "")
                                .on(Link.to("stores", store, "changes"))
                                .toString(),
                        "Show all that is to come");
    }
}
