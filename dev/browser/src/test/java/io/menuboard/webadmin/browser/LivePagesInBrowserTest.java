package io.menuboard.webadmin.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.PriceSubject;
import io.menuboard.pricing.ProductId;
import io.menuboard.pricing.StoreSelection;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ChangeSetResult;
import io.menuboard.pricing.changes.ChangeSets;
import io.menuboard.pricing.changes.DraftChangeSet;
import io.menuboard.pricing.rules.ChangeRule;
import io.menuboard.pricing.rules.PriceOperation;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.workers.TaskWorkers;
import io.menuboard.webadmin.pages.ChangeSample;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.TaskSample;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.MeterNotFoundException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Pages hear of what they show instead of asking, and only while they are seen. */
class LivePagesInBrowserTest {
    private static final Pattern NOT_UP_TO_DATE = Pattern.compile("This page is not up to date: .*");

    @RegisterExtension
    static final Visitors VISITORS = new Visitors();

    @Test
    @ResourceLock(TaskSample.LOCK)
    void hearsOfATask() {
        var sample = TaskSample.shared();
        var type = new TaskType("browser.hear");
        var task = sample.submit(type, 1).getFirst();
        var page = openWithoutTimer(sample.server(), "/tasks/" + task);
        awaitStreams(sample.server(), 1);

        show(page, false);
        awaitStreams(sample.server(), 0);
        sample.complete(type);
        assertThat(page.locator("[data-summary]").first()).containsText("Waits for a worker");

        show(page, true);
        assertThat(page.locator("[data-summary]").first()).containsText("Done by");
        awaitStreams(sample.server(), 0);
        assertThat(page.locator("[sse-connect]")).hasCount(0);
        assertThat(VISITORS.complaints()).isEmpty();
    }

    /** The page is at the address of what was refused, which asks whether to do it. */
    @Test
    @ResourceLock(TaskSample.LOCK)
    void hearsOfATaskWhoseRetryWasRefused() {
        var sample = TaskSample.shared();
        var type = new TaskType("browser.refused");
        var task = sample.submit(type, 1).getFirst();
        var page = openWithoutTimer(sample.server(), "/tasks/" + task + "/retry");
        page.locator("main form button[type=submit]").click();
        assertThat(page.locator("main .alert-title")).hasText("Nothing was changed");
        awaitStreams(sample.server(), 1);

        sample.complete(type);

        assertThat(page.locator("[data-summary]").first()).containsText("Done by");
        assertThat(page.locator("h1")).hasCount(1);
        awaitStreams(sample.server(), 0);
    }

    @Test
    @ResourceLock(TaskSample.LOCK)
    void keepsWhatItShowsAndGoesOnAskingWhereItIsNotAnswered() {
        var sample = TaskSample.shared();
        var type = new TaskType("browser.unanswered");
        var task = sample.submit(type, 1).getFirst();
        var page = VISITORS.open("about:blank");
        page.addInitScript("const wait = setTimeout; setTimeout = (task, ms) => wait(task, Math.min(ms, 200))");
        var asked = new AtomicInteger();
        page.route("**/tasks/" + task, route -> {
            if (!route.request().headers().containsKey("hx-request")) {
                route.resume();
            } else if (asked.incrementAndGet() % 2 == 1) {
                route.abort();
            } else {
                route.fulfill(new Route.FulfillOptions().setStatus(503).setBody("<p>Not available</p>"));
            }
        });
        page.navigate(sample.server().address("/tasks/" + task).toString());

        assertThat(page.locator(".alert-warning")).hasText(NOT_UP_TO_DATE);
        page.waitForCondition(() -> asked.get() > 4);
        assertThat(page.locator(".alert-warning")).hasCount(1);
        assertThat(page.locator("[data-summary]").first()).containsText("Waits for a worker");

        sample.complete(type);
        page.unroute("**/tasks/" + task);

        assertThat(page.locator("[data-summary]").first()).containsText("Done by");
        assertThat(page.locator(".alert-warning")).hasCount(0);
    }

    /** One that is to be previewed by a task, which nobody does; the page listens to the task too. */
    @Test
    void hearsOfAChangeSet() {
        var server = PagesServer.start("live-change-sets");
        server.bean(TaskWorkers.class).close();
        var set = draftForEveryStore(server);
        var page = openWithoutTimer(server, "/changes/" + set);
        awaitStreams(server, 2);

        server.bean(ChangeSets.class).cancel(ChangeSample.GRACE, set);

        assertThat(page.locator("[data-summary]").first()).hasText("Cancelled as a draft: no price was changed.");
        awaitStreams(server, 0);
        assertThat(page.locator("[sse-connect]")).hasCount(0);
        assertThat(VISITORS.complaints()).isEmpty();
        server.stop();
    }

    private static ChangeSetId draftForEveryStore(PagesServer server) {
        var rule = new ChangeRule(
                new StoreSelection.Found("store"),
                List.of(new PriceSubject.Product(new ProductId("COFFEE"))),
                List.of(Channel.ALL),
                new PriceOperation.SetTo(new BigDecimal("2.10"), null),
                null);
        var draft = new DraftChangeSet("Season", "costs rose", null, List.of(rule));
        var done = server.bean(ChangeSetDrafts.class).draft(ChangeSample.GRACE, draft, null);
        return ((ChangeSetResult.Done) done).set().id();
    }

    /** Without the timer that has a page ask again in any case. */
    private static Page openWithoutTimer(PagesServer server, String path) {
        var page = VISITORS.open("about:blank");
        page.addInitScript("const wait = setTimeout; setTimeout = (task, ms) => ms < 5_000 ? wait(task, ms) : 0");
        page.navigate(server.address(path).toString());
        return page;
    }

    private static void show(Page page, boolean shown) {
        page.evaluate("""
                shown => {
                  Object.defineProperty(document, "hidden", {get: () => !shown, configurable: true});
                  document.dispatchEvent(new Event("visibilitychange"));
                }""", shown);
    }

    private static void awaitStreams(PagesServer server, int open) {
        var meters = server.bean(MeterRegistry.class);
        await().atMost(Duration.ofSeconds(30))
                // The gauge is there as soon as somebody has subscribed.
                .ignoreException(MeterNotFoundException.class)
                .untilAsserted(() -> assertThat(meters.get("menuboard.graphql.subscriptions")
                                .gauge()
                                .value())
                        .isEqualTo(open));
    }
}
