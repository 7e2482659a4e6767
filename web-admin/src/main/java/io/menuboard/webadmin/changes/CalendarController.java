package io.menuboard.webadmin.changes;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.batches.ChangeBatches;
import io.menuboard.pricing.batches.ScheduledBatch;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.webadmin.ui.CsvDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Moments;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.lists.ListKind;
import io.menuboard.webadmin.ui.lists.ListPage;
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
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Batches of price changes that are to come, in all stores, by day of each store's own calendar. */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/changes")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class CalendarController {
    private static final ListKind LIST = ListKind.of("changes/calendar", "batch", "batches")
            .filteredBy("month", "day")
            .whole();

    private final ChangeBatches batches;
    private final ChangeSets sets;
    private final Stores stores;
    private final Pricing pricing;
    private final Lists lists;

    CalendarController(ChangeBatches batches, ChangeSets sets, Stores stores, Pricing pricing, Lists lists) {
        this.batches = batches;
        this.sets = sets;
        this.stores = stores;
        this.pricing = pricing;
        this.lists = lists;
    }

    @Get("/calendar")
    HttpResponse<?> show(HttpRequest<?> request, Access access, @Nullable String month, @Nullable String day) {
        var today = LocalDate.ofInstant(pricing.now(), ZoneOffset.UTC);
        var shown = YearMonth.from(today);
        try {
            shown = month(month, today);
            return show(access, request, today, shown, day(day, shown), null);
        } catch (InvalidInput e) {
            return show(access, request, today, shown, null, e);
        }
    }

    /** @param asked the day whose batches are listed; null for the first that has any */
    private HttpResponse<?> show(
            Access access,
            HttpRequest<?> request,
            LocalDate today,
            YearMonth month,
            @Nullable LocalDate asked,
            @Nullable InvalidInput refusal) {
        var scheduled = scheduled(access, CalendarPage.begin(month), CalendarPage.end(month));
        var day = asked == null ? CalendarPage.first(month, today, scheduled) : asked;
        var export = Link.to("changes", "calendar.csv")
                .with("month", month.toString())
                .with("day", day.toString());
        var list = lists.page(request, LIST, CalendarPage.address(month, day), export);
        Function<ListPage.Content<ScheduledBatch>, CalendarPage> view = content -> CalendarPage.of(
                month,
                today,
                day,
                scheduled,
                content.listing(nothing(access, day)),
                rows(access, content.page().nodes()));
        return refusal == null
                ? list.show(page -> Page.of(of(day, scheduled), CalendarController::cursor, page), view)
                : list.refuse(refusal, view);
    }

    @Get(uri = "/calendar.csv", produces = CsvDownload.MEDIA_TYPE)
    HttpResponse<InputStream> export(Access access, @Nullable String month, @Nullable String day) {
        var shown = month(month, LocalDate.ofInstant(pricing.now(), ZoneOffset.UTC));
        var asked = day(day, shown);
        var scheduled = scheduled(access, shown.atDay(1), shown.atEndOfMonth());
        var chosen = asked == null ? scheduled : of(asked, scheduled);
        return CsvDownload.of(
                "calendar-" + (asked == null ? shown : asked) + ".csv",
                ChangeCsv.BATCH_COLUMNS,
                page -> Page.of(chosen, CalendarController::cursor, page).map(ChangeCsv::row));
    }

    /** In the order of {@link #cursor}. */
    private List<ScheduledBatch> scheduled(Access access, LocalDate first, LocalDate last) {
        return batches.onDays(access, first, last).stream()
                .sorted(Comparator.comparing(CalendarController::cursor))
                .toList();
    }

    private static List<ScheduledBatch> of(LocalDate day, List<ScheduledBatch> scheduled) {
        return scheduled.stream()
                .filter(batch -> CalendarPage.day(batch).equals(day))
                .toList();
    }

    /** Effective dates have whole seconds, so that these texts sort as instants do. */
    private static String cursor(ScheduledBatch scheduled) {
        var batch = scheduled.batch();
        return scheduled.at() + "#" + batch.store() + "#" + batch.channel() + "#" + batch.effectiveDate();
    }

    private List<CalendarPage.Row> rows(Access access, List<ScheduledBatch> page) {
        var known = stores.findAll(
                access,
                page.stream().map(scheduled -> scheduled.batch().store()).collect(Collectors.toSet()));
        var names = ChangeSetNames.of(
                sets, access, page.stream().flatMap(scheduled -> scheduled.changes().keySet().stream()));
        return page.stream()
                .map(scheduled -> CalendarPage.Row.of(
                        scheduled, known.get(scheduled.batch().store()), names))
                .toList();
    }

    private static YearMonth month(@Nullable String text, LocalDate today) {
        var asked = Objects.requireNonNullElse(text, "").strip();
        return asked.isEmpty() ? YearMonth.from(today) : Moments.parseMonth("month", asked);
    }

    private static @Nullable LocalDate day(@Nullable String text, YearMonth month) {
        var asked = Objects.requireNonNullElse(text, "").strip();
        if (asked.isEmpty()) {
            return null;
        }
        try {
            var day = LocalDate.parse(asked);
            if (YearMonth.from(day).equals(month)) {
                return day;
            }
        } catch (DateTimeException _) {
            // Said below.
        }
        throw new InvalidInput("INVALID_DAY", "day", "must be a day of " + month + ", such as " + month.atDay(1));
    }

    private static Listing.Empty nothing(Access access, LocalDate day) {
        var drafts = access.may(Permission.PRICES_DRAFT);
        return new Listing.Empty(
                "Nothing takes effect on " + day,
                "Change sets that are applied for a day are listed here until it has come.",
                drafts ? "/changes/new" : "/changes",
                drafts ? "Change prices" : "All change sets");
    }
}
