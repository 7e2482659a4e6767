package io.menuboard.webadmin.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Page.GetByRoleOptions;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.webadmin.pages.TaskSample;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What a person can do with the pages, with and without a script, by mouse and by keyboard, on a phone and at a desk. */
@ResourceLock(TaskSample.LOCK)
class PagesInBrowserTest {
    private static final TaskSample SAMPLE = TaskSample.shared();

    @RegisterExtension
    static final Visitors VISITORS = new Visitors();

    @Test
    void findsStoresAsOneTypesAndKeepsTheSearchInTheAddress() {
        var page = VISITORS.open("/stores");

        page.getByLabel("Search").pressSequentially("tok");

        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(page.locator("tbody tr")).containsText("JP-0001");
        assertThat(page).hasURL(Pattern.compile(".*/stores\\?search=tok$"));
        assertThat(page.getByLabel("Search")).isFocused();
        assertThat(page.locator("#announcer")).hasText("1 store");

        page.getByLabel("Search").clear();

        assertThat(page.locator("tbody tr")).hasCount(64);

        page.goBack();

        assertThat(page.getByLabel("Search")).hasValue("tok");
        assertThat(page.locator("tbody tr")).hasCount(1);
        assertThat(VISITORS.complaints()).isEmpty();
    }

    @Test
    void goesOnByKeyboardBehindASearchThatWasMadeAsOneTyped() {
        var page = VISITORS.open("/stores");
        var asked = new ArrayList<String>();
        page.onRequest(request -> asked.add(request.url()));

        page.waitForResponse(response -> response.url().contains("search=tok"), () -> page.getByLabel("Search")
                .pressSequentially("tok"));
        assertThat(page.locator("tbody tr")).hasCount(1);
        page.keyboard().press("Tab");
        assertThat(link(page, "Export as CSV")).isFocused();
        page.keyboard().press("Tab");

        assertThat(page.locator("tbody tr a")).isFocused();
        assertThat(asked).filteredOn(url -> url.contains("search=tok")).hasSize(1);
        assertThat(VISITORS.complaints()).isEmpty();
    }

    @Test
    void leavesTheFocusWhereItIsInAListThatIsExchanged() {
        var page = VISITORS.open("/stores");

        page.getByLabel("Search").fill("tok");
        link(page, "Export as CSV").focus();
        assertThat(page.locator("tbody tr")).hasCount(1);

        assertThat(link(page, "Export as CSV")).isFocused();
    }

    @Test
    void linesUpWhatBelongsToAPrice() {
        for (var size : List.of(new int[] {1440, 900}, new int[] {390, 844})) {
            var page = VISITORS.open("/stores/DE-0001", Visitors.options().setViewportSize(size[0], size[1]));

            var row = page.locator("tbody tr").first();

            var name = middle(row.locator("td a").first());
            assertThat(middle(row.locator("input"))).isCloseTo(name, within(2.0));
            assertThat(middle(row.locator(".amount"))).isCloseTo(name, within(2.0));
        }
    }

    @Test
    void hasItsSectionsInOneRowOnAPhoneAndShowsWhereOneIs() {
        for (var section : List.of("/stores", "/webhooks")) {
            var page = VISITORS.open(section, Visitors.options().setViewportSize(390, 844));

            var sections = page.locator(".site-nav");
            assertThat(sections.boundingBox().height).isLessThan(60);
            assertThat(sections.locator("[aria-current]"))
                    .isInViewport(new LocatorAssertions.IsInViewportOptions().setRatio(1));
            assertThat(VISITORS.complaints()).isEmpty();
        }
    }

    /** How far down the page, in pixels. */
    private static double middle(Locator locator) {
        var box = locator.boundingBox();
        return box.y + box.height / 2;
    }

    @Test
    void showsTheTasksOfAnotherStatusInPlace() {
        for (var size : List.of(new int[] {1440, 900}, new int[] {390, 844})) {
            var page = VISITORS.open(tasks("/tasks"), Visitors.options().setViewportSize(size[0], size[1]));

            page.locator(".tabs a")
                    .filter(new Locator.FilterOptions().setHasText("Dead"))
                    .click();

            assertThat(page).hasURL(Pattern.compile(".*status=DEAD#status$"));
            assertThat(page.locator(".tabs a[aria-current]")).isInViewport();
            assertThat(page.locator("#live tbody tr").first()).isInViewport();
        }
    }

    @Test
    void saysBesideTheFieldWhatIsWrongWhileOneTypes() {
        var page = VISITORS.open("/stores");

        page.getByLabel("Search").fill("!");

        assertThat(page.locator("#search-error")).hasText("Must contain a letter or a digit");
        assertThat(page.getByLabel("Search")).hasAttribute("aria-invalid", "true");
        assertThat(page.locator("tbody tr")).hasCount(0);

        page.getByLabel("Search").fill("berlin");

        assertThat(page.locator("#search-error")).isHidden();
        assertThat(page.getByLabel("Search")).not().hasAttribute("aria-invalid", "true");
        assertThat(page.locator("tbody tr")).hasCount(1);
    }

    @Test
    void goesFromTheStoresToAPriceAndItsTimeline() {
        travel(VISITORS.open("/stores"), false);

        assertThat(VISITORS.complaints()).isEmpty();
    }

    @Test
    void goesTheSameWayWithoutJavaScript() {
        travel(VISITORS.open("/stores", Visitors.options().setJavaScriptEnabled(false)), true);
    }

    /** The way of most visits: a store, its prices, one page on and one back, one product, its timeline, other stores. */
    private void travel(Page page, boolean submit) {
        page.getByLabel("Search").fill("alexanderplatz");
        if (submit) {
            button(page, "Search").click();
        }
        assertThat(page.locator("tbody tr")).hasCount(1);
        link(page, "Berlin Alexanderplatz").click();

        assertThat(page.getByRole(AriaRole.HEADING, new GetByRoleOptions().setLevel(1)))
                .hasText("Berlin Alexanderplatz");
        page.getByLabel("Product begins with").fill("BURGER");
        if (submit) {
            button(page, "Show").first().click();
        }
        assertThat(page).hasURL(Pattern.compile(".*product=BURGER.*"));
        assertThat(page.locator("tbody tr").first()).containsText("BURGER-001");
        assertThat(link(page, "Previous")).hasCount(0);
        link(page, "Next").click();
        assertThat(page.locator("tbody tr").first()).containsText("BURGER-065");
        link(page, "Previous").click();
        assertThat(page.locator("tbody tr").first()).containsText("BURGER-001");
        assertThat(page).hasURL(Pattern.compile(".*product=BURGER.*"));

        page.getByLabel("Product begins with").fill("COFFEE");
        if (submit) {
            button(page, "Show").first().click();
        }
        assertThat(page.locator("tbody tr")).hasCount(1);
        link(page, "COFFEE").click();

        assertThat(page.locator(".figure").first()).hasText("€2.95");
        assertThat(page.getByRole(AriaRole.IMG, new GetByRoleOptions().setName("Price of COFFEE")))
                .isVisible();
        page.getByLabel("Channel").selectOption("KIOSK");
        button(page, "Show").first().click();
        assertThat(page.locator(".figure").first()).hasText("€2.80");
        page.goBack();
        link(page, "The same product in every store").click();

        assertThat(page.locator("tbody tr")).hasCount(64);
        link(page, "Next").click();
        assertThat(page.locator("tbody")).containsText("東京 新宿");
    }

    @Test
    void changesTheNumberOfRowsAndTheChannelAndTheMomentInPlace() {
        var page = VISITORS.open("/stores/DE-0001");

        page.getByLabel("Rows per page").selectOption("16");

        assertThat(page.locator("tbody tr")).hasCount(16);
        assertThat(page).hasURL(Pattern.compile(".*first=16$"));

        page.getByLabel("Channel").selectOption("KIOSK");

        assertThat(page.locator("tbody tr")).hasCount(1);

        page.getByLabel("As of, on the store's clock").fill("2025-01-01T00:00");

        assertThat(page.locator(".empty-title")).hasText("No prices at that moment");
        assertThat(VISITORS.complaints()).isEmpty();
    }

    @Test
    void changesTheNumberOfRowsOfAListThatIsPartOfAPage() {
        var page = VISITORS.open(
                SAMPLE.server().address("/tasks/" + SAMPLE.longHistory()).toString());

        page.getByLabel("Rows per page").selectOption("16");

        assertThat(page.locator("tbody tr")).hasCount(16);
        assertThat(page).hasURL(Pattern.compile(".*last=16$"));
        assertThat(VISITORS.complaints()).isEmpty();
    }

    @Test
    void findsAProductByItsId() {
        var page = VISITORS.open("/products");

        page.getByLabel("Product id").fill("COFFEE");
        page.keyboard().press("Enter");

        assertThat(page).hasURL(Pattern.compile(".*/products/COFFEE$"));
    }

    @Test
    void downloadsWhatIsListed() throws Exception {
        var page = VISITORS.open("/stores?search=tok");

        Download download =
                page.waitForDownload(() -> link(page, "Export as CSV").click());

        assertThat(download.suggestedFilename()).isEqualTo("stores.csv");
        assertThat(Files.readAllLines(download.path())).hasSize(2);
    }

    @Test
    void narrowsTasksInPlaceAndKeepsTheFilterFromStatusToStatus() {
        var page = VISITORS.open(tasks("/tasks"));

        page.getByLabel("Type", new Page.GetByLabelOptions().setExact(true)).selectOption("menus.publish");

        assertThat(page.locator("#announcer")).hasText("64 tasks on this page");
        assertThat(page).hasURL(Pattern.compile(".*/tasks\\?type=menus.publish$"));

        link(page, "Completed").click();

        assertThat(page.locator(".empty-title")).hasText("No completed tasks match");
        assertThat(page.getByLabel("Type", new Page.GetByLabelOptions().setExact(true)))
                .hasValue("menus.publish");
        assertThat(VISITORS.complaints()).isEmpty();
    }

    @Test
    void cancelsATaskAfterAQuestionWithoutJavaScript() {
        var task = SAMPLE.submit(new TaskType("browser.cancel"), 1).getFirst();
        var page = VISITORS.open(tasks("/tasks/" + task), Visitors.options().setJavaScriptEnabled(false));

        link(page, "Cancel").click();
        page.getByLabel("Reason").fill("ordered twice");
        button(page, "Cancel the task").click();

        assertThat(page.getByRole(AriaRole.STATUS).first()).containsText("The task is cancelled.");
        assertThat(page.locator("tbody tr").first()).containsText("ordered twice");
    }

    @Test
    void clonesATaskOnceHoweverOftenTheButtonIsClicked() {
        var type = new TaskType("browser.clone");
        var task = SAMPLE.submit(type, 1).getFirst();
        var page = VISITORS.open(tasks("/tasks/" + task + "/clone"));

        button(page, "Clone the task").dblclick();

        assertThat(page.locator(".alert-title")).hasText("This is the new task.");
        assertThat(page).hasURL(Pattern.compile(".*/tasks/[0-9A-Z]{26}$"));
        assertThat(SAMPLE.tasks().count(TaskStatus.PENDING, type)).isEqualTo(2);

        page.reload();

        assertThat(page.locator("h1")).hasText(type.value());
        assertThat(page.locator(".alert-title")).hasCount(0);
    }

    @Test
    void sendsAFormAgainThatWasStoppedAndThenChanged() {
        var page = VISITORS.open("/imports");
        // As Stop does, of which no event tells the page.
        page.evaluate("() => { window.sent = 0; window.addEventListener('submit', event => {"
                + " if (!event.defaultPrevented) { window.sent++; event.preventDefault(); } }); }");
        var reason = page.getByLabel("Reason, for the history of each price");

        reason.fill("costs rose");
        button(page, "Import").dblclick();
        assertThat(page.evaluate("window.sent")).isEqualTo(1);
        reason.fill("costs rose again");
        button(page, "Import").click();

        assertThat(page.evaluate("window.sent")).isEqualTo(2);
    }

    @Test
    void sendsAFormWithoutFieldsAgainThatWasStopped() {
        var type = new TaskType("browser.stopped");
        var task = SAMPLE.submit(type, 1).getFirst();
        var page = VISITORS.open(tasks("/tasks/" + task + "/clone"));
        page.evaluate("() => { window.sent = 0; window.addEventListener('submit', event => {"
                + " if (!event.defaultPrevented) { window.sent++; event.preventDefault(); } }); }");

        button(page, "Clone the task").dblclick();
        assertThat(page.evaluate("window.sent")).isEqualTo(1);
        page.evaluate("() => { const now = Date.now(); Date.now = () => now + 6000; }");
        button(page, "Clone the task").click();

        assertThat(page.evaluate("window.sent")).isEqualTo(2);
    }

    @Test
    void showsWhatBecomesOfATaskAndLeavesTheFocusWhereItIs() {
        var type = new TaskType("browser.refresh");
        var task = SAMPLE.submit(type, 1).getFirst();
        var page = VISITORS.open(tasks("/tasks/" + task));
        link(page, "Clone").focus();

        SAMPLE.complete(type);

        assertThat(page.locator("[data-summary]").first()).containsText("Done by");
        assertThat(page.locator("#announcer")).containsText("Done by");
        assertThat(link(page, "Clone")).isFocused();
        assertThat(VISITORS.complaints()).isEmpty();
    }

    @Test
    void retriesEverythingThatMatchesAfterAPreview() {
        var type = new TaskType("browser.bulk");
        SAMPLE.dead(type, 12);
        var page = VISITORS.open(tasks("/tasks?status=DEAD&type=browser.bulk"));

        link(page, "Retry all that match").click();
        assertThat(page.locator("tbody tr")).hasCount(10);
        page.getByLabel("Reason").fill("paper is back");
        button(page, "Retry 12 tasks").dblclick();

        assertThat(page.locator("[data-summary]").first()).hasText("12 retried.");
        assertThat(page.locator("tbody tr")).hasCount(12);
        assertThat(SAMPLE.tasks().count(TaskStatus.PENDING, type)).isEqualTo(12);
        assertThat(VISITORS.complaints()).isEmpty();
    }

    @Test
    void skipsToTheContent() {
        var page = VISITORS.open("/stores");

        page.keyboard().press("Tab");
        page.keyboard().press("Enter");
        page.keyboard().press("Tab");

        assertThat(page.getByLabel("Search")).isFocused();
    }

    private static String tasks(String path) {
        return SAMPLE.server().address(path).toString();
    }

    private static Locator link(Page page, String name) {
        return page.getByRole(
                AriaRole.LINK, new GetByRoleOptions().setName(name).setExact(true));
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new GetByRoleOptions().setName(name).setExact(true));
    }
}
