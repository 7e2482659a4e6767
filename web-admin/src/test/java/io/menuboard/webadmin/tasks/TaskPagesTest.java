package io.menuboard.webadmin.tasks;

import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.webadmin.pages.TaskSample.page;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskEvent;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import io.menuboard.webadmin.pages.ListPages;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import io.menuboard.webadmin.pages.TaskSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server sends about tasks. What holds for every page is in {@code PagesTest}. */
@ResourceLock(TaskSample.LOCK)
class TaskPagesTest {
    private static final TaskSample SAMPLE = TaskSample.shared();

    static final List<String> LISTS = List.of(
            "/tasks?first=16",
            "/tasks?status=COMPLETED&type=menus.published&first=16",
            "/tasks?status=DEAD&type=mail.send",
            "/tasks/workers?first=16",
            "/tasks/workers/printer-2");

    private final PagesServer server = SAMPLE.server();
    private final TasksInstance tasks = SAMPLE.tasks();

    @ParameterizedTest
    @FieldSource("LISTS")
    void sendsHtmxThePartOfTheSameTemplateThatChanges(String list) {
        // Operations of other tests end when they do, which the counts on the tabs show.
        await().untilAsserted(() -> ListPages.assertFragment(server, list));

        var fragment = server.htmx(list);
        assertThat(fragment.body()).doesNotContain("chart");
        assertThat(fragment.header("HX-Push-Url")).isEqualTo(list);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/tasks?type=menus.publish&first=32", "/tasks?first=64", "/tasks?status=COMPLETED&first=64"})
    void pagesForwardAndBackThroughTheSameTasks(String list) {
        var forward = walk(list, "next");
        var back = walk(forward.getLast().address(), "prev");

        assertThat(forward).hasSizeGreaterThan(2);
        assertThat(back.reversed().stream().flatMap(page -> page.tasks().stream()))
                .containsExactlyElementsOf(
                        forward.stream().flatMap(page -> page.tasks().stream()).toList())
                .doesNotHaveDuplicates();
    }

    /** Of a type of their own: an operation's lease is extended, and its place among all that run with it. */
    @Test
    void pagesForwardAndBackThroughTheSameRunningTasks() {
        SAMPLE.running(new TaskType("pages.running"), 3);

        pagesForwardAndBackThroughTheSameTasks("/tasks?type=pages.running&status=RUNNING&first=1");
    }

    @Test
    void listsPendingTasksAsTheyAreClaimedAndSaysSo() {
        var html = server.get("/tasks?type=menus.publish&first=256").html();

        assertThat(html.select("tbody td[data-label=Priority]").eachText())
                .hasSize(TaskSample.MANY_COUNT)
                .isSortedAccordingTo((a, b) -> rank(a) - rank(b));
        assertThat(html.select(".list-actions").text()).contains("the highest priority first, then the oldest");
        assertThat(html.select(".tabs a[aria-current]").text()).isEqualTo("Pending 100+");
    }

    @Test
    void countsOnTheTabsWhatWaitsOrMustBeSeenTo() {
        assertThat(server.get("/tasks?type=mail.send").html().select(".tabs a").eachText())
                .containsExactly("Pending 0", "Scheduled", "Running", "Completed", "Dead 1", "Cancelled");
        assertThat(server.get("/tasks").html().select(".tabs a").eachText())
                .contains("Pending 100+", "Completed", "Cancelled")
                .anyMatch(tab -> tab.matches("Running [1-9][0-9]*"));
    }

    @Test
    void showsOfEachStatusWhatIsWorthKnowing() {
        var running = row("/tasks?status=RUNNING&worker=printer-2", SAMPLE.running());
        var scheduled = row("/tasks?status=SCHEDULED", SAMPLE.scheduled());
        var dead = row("/tasks?status=DEAD&type=mail.send", SAMPLE.dead());

        assertThat(running).contains("labels.print", "Normal", "0 of 5", "printer-2", " left", "Running");
        assertThat(scheduled).contains("reports.weekly", "in 2 days", "Scheduled");
        assertThat(dead).contains("1 of 5", "no such address", "Dead");
    }

    @Test
    void keepsTheFilterFromStatusToStatusButNotTheWorker() {
        var html = server.get("/tasks?status=RUNNING&type=labels.print&worker=printer-2&submittedFrom=2026-01-01T00:00")
                .html();

        assertThat(html.select(".tabs a").eachAttr("href"))
                .contains(
                        "/tasks?type=labels.print&submittedFrom=2026-01-01T00%3A00#status",
                        "/tasks?status=DEAD&type=labels.print&submittedFrom=2026-01-01T00%3A00#status",
                        "/tasks?status=RUNNING&type=labels.print&submittedFrom=2026-01-01T00%3A00&worker=printer-2#status");
        assertThat(html.select("input[name=status]").attr("value")).isEqualTo("RUNNING");
        assertThat(html.select("#worker").attr("value")).isEqualTo("printer-2");
        assertThat(server.get("/tasks").html().select("#worker")).isEmpty();
    }

    @Test
    void findsTheTaskOfAnIdempotencyKeyWhateverItsStatus() {
        var html = server.get("/tasks?status=DEAD&idempotencyKey=" + TaskSample.KEY)
                .html();

        assertThat(html.select("#live tbody td a").eachAttr("href")).containsExactly(page(SAMPLE.completed()));
        assertThat(html.select("#live tbody .badge").text()).isEqualTo("Completed");
        assertThat(html.select(".tabs a[aria-current]")).isEmpty();
        assertThat(html.select("main a[href^=/tasks/bulk]")).isEmpty();
    }

    @Test
    void showsHowTheQueuesStand() {
        var rows = server.get("/tasks").html().select("table[aria-label*=ueues by type] tbody tr");

        assertThat(rows.eachText()).anyMatch(row -> row.matches("menus\\.publish 150 .* ago 0\\.0 0"));
    }

    @Test
    void drawsTheLastHourSoThatItNeedsNoColourAndNoEyes() {
        var figure = await().until(
                        () -> server.get("/tasks").html().selectFirst("figure"),
                        found -> found != null
                                && found.select(".chart-legend").text().contains("Failed"));

        assertThat(figure.select(".chart-legend li").eachText())
                .hasSize(3)
                .anyMatch(text -> text.matches("Submitted [1-9][0-9,]*"));
        assertThat(figure.select("path").eachAttr("class"))
                .doesNotHaveDuplicates()
                .hasSize(3);
        assertThat(figure.select("svg[role=img] > desc").text()).contains("in the last hour: submitted ");
        assertThat(figure.select("details tbody tr")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /tasks?submittedFrom=yesterday                                             | submittedFrom   | Must be a date and time of the years 1 to 9999, such as 2026-03-01T06:00
                    /tasks?submittedFrom=2026-03-02T00:00&submittedBefore=2026-03-01T00:00     | submittedBefore | Must be later than submittedFrom
                    /tasks?type=a%23b                                                          | type            | Must not contain '#'
                    /tasks?status=RUNNING&worker=a%23b                                         | worker          | Must not contain '#'
                    /tasks?idempotencyKey=a%23b                                                | idempotencyKey  | Must not contain '#'
                    /tasks?idempotencyKey=k&type=t                                             | idempotencyKey  | Can only be given alone: it finds one task
                    """)
    void saysBesideTheFieldWhatIsWrongWithIt(String page, String field, String rule) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#" + field + "-error").text()).isEqualTo(rule);
        assertThat(answer.html().select("#" + field).attr("aria-invalid")).isEqualTo("true");
        assertThat(server.htmx(page).html().select("#" + field + "-error").text())
                .isEqualTo(rule);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /tasks?status=LOST                  | status
                    /tasks?worker=printer-2             | worker
                    /tasks?after=forged                 | after
                    /tasks?first=2049                   | first
                    /tasks/workers?before=forged        | before
                    /tasks/workers/printer-2?last=0     | last
                    """)
    void saysAboveTheListWhichPartOfTheAddressIsWrong(String page, String field) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("[role=alert]").text()).contains(field);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    /tasks?type=nothing.like-this           | No pending tasks match
                    /tasks?status=DEAD&type=menus.publish   | No dead tasks match
                    /tasks?idempotencyKey=unheard-of        | No task has the idempotency key “unheard-of”
                    /tasks/workers/mailer-1                 | It holds nothing now
                    """)
    void saysWhatToDoWhereNothingIsListed(String page, String title) {
        var html = server.get(page).html();

        assertThat(html.select(".empty-title").text()).isEqualTo(title);
        assertThat(server.get(html.select(".empty a").attr("href")).status()).isEqualTo(200);
    }

    @Test
    void exportsTheWholeFilteredList() {
        var page = server.get("/tasks?type=menus.publish&first=16").html();

        var csv = server.get(page.select("a[href*=.csv]").attr("href"));

        assertThat(csv.header("Content-Disposition")).isEqualTo("attachment; filename=\"tasks.csv\"");
        assertThat(csv.body().lines())
                .hasSize(1 + TaskSample.MANY_COUNT)
                .startsWith("task,type,status,priority,submitted,by,through,attempt,failures,maxAttempts,worker,"
                        + "leaseEnds,available,started,finished,reason,idempotencyKey,clonedFrom")
                .allMatch(line -> line.startsWith("task,") || line.contains(",menus.publish,PENDING,"));
        assertThat(server.get("/tasks.csv?status=LOST").status()).isEqualTo(400);
        assertThat(server.get("/tasks/workers.csv").body()).contains("printer-2,");
    }

    @Test
    void showsEverythingAboutOneTask() {
        var html = server.get(page(SAMPLE.completed())).html();

        assertThat(html.select("h1").text()).isEqualTo("prices.export");
        assertThat(html.select(".lead").text()).contains("by till 7, through GraphQL");
        assertThat(html.expectFirst("[data-summary]").text()).startsWith("Done by exporter-1 in ");
        assertThat(html.select(".facts").text())
                .contains("Priority Normal", "Attempts 1", "Failed attempts 0 of 5", TaskSample.KEY);
        assertThat(html.expectFirst("pre[aria-labelledby=payload]").wholeText())
                .isEqualTo("{\n  \"stores\" : [ \"DE-0001\", \"JP-0001\" ]\n}");
        assertThat(html.select("pre[aria-labelledby=result]").text()).contains("199", PriceSample.ATTACK);
        assertThat(html.select("table tbody tr").eachText())
                .hasSize(3)
                .anyMatch(row -> row.contains("Completed 1 exporter-1 printers through a worker"));
        assertThat(html.select(".actions a").eachText()).containsExactly("Clone");
    }

    @Test
    void asksAgainByItselfWhileSomethingMayHappen() {
        for (var open : List.of(SAMPLE.pending(), SAMPLE.scheduled(), SAMPLE.running())) {
            var html = server.get(page(open)).html();

            assertThat(html.select("#live > [hx-get]").attr("hx-get")).isEqualTo(page(open));
            assertThat(html.select("noscript a").attr("href")).isEqualTo(page(open));
            assertThat(server.htmx(page(open)).body()).doesNotContain("<html").contains("hx-get");
            assertThat(server.htmx(page(open)).header("HX-Push-Url")).isEmpty();
        }
        for (var finished : List.of(SAMPLE.completed(), SAMPLE.dead(), SAMPLE.cancelled())) {
            var html = server.get(page(finished)).html();

            assertThat(html.select("[hx-get], noscript")).isEmpty();
        }
    }

    /** At an address that asks another question, or has no page at all. */
    @Test
    void asksForTheTaskAgainWhereAnActionIsRefused() {
        var id = SAMPLE.pending();

        var refused = server.post(page(id) + "/retry", Map.of("reason", ""));

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.html().select("#live > [hx-get]").eachAttr("hx-get"))
                .hasSize(2)
                .containsOnly(page(id));
        assertThat(refused.html().select("noscript a").attr("href")).isEqualTo(page(id));
    }

    @Test
    void showsHowFarARunningTaskIs() {
        var html = server.get(page(SAMPLE.running())).html();

        var progress = html.expectFirst("progress");
        assertThat(progress.attr("value") + "/" + progress.attr("max")).isEqualTo("12/40");
        assertThat(html.select(".progress-label").text()).startsWith("Progress: printing <b>aisle</b> 3 12 of 40");
        assertThat(html.select(".facts").text()).contains("Worker printer-2", " left");
    }

    @Test
    void pagesThroughALongHistoryFromTheNewestEventOn() {
        var first = server.get(page(SAMPLE.longHistory()) + "?last=64").html();
        var second = server.get(first.select("a[rel=next]").attr("href")).html();

        assertThat(first.select("tbody tr")).hasSize(64);
        assertThat(first.expectFirst("tbody tr").text()).contains("Given back 40 printer-2", "out of paper");
        assertThat(second.select("tbody tr")).hasSize(TaskSample.LONG_HISTORY - 64);
        assertThat(second.expectFirst("tbody tr:last-child").text()).contains("Submitted");
        assertThat(second.select("#live > [hx-get]").attr("hx-get"))
                .isEqualTo(first.select("a[rel=next]").attr("href"));
        assertThat(server.get(page(SAMPLE.longHistory()) + "/history.csv")
                        .body()
                        .lines())
                .hasSize(1 + TaskSample.LONG_HISTORY);
        assertThat(server.get(page(SAMPLE.longHistory()) + "?after=forged").status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    cancel   | CANCELLED | The task is cancelled.
                    reassign | SCHEDULED | The task is kept for printer-9.
                    """)
    void doesWhatWasAskedForAfterAQuestionAndSaysSo(String action, TaskStatus status, String notice) {
        var id = SAMPLE.submit(new TaskType("actions." + action), 1).getFirst();
        var question = server.get(page(id) + "/" + action).html();

        var answer = server.post(
                question.select("main form[method=post]").attr("action"),
                Map.of("reason", PriceSample.ATTACK, "worker", "printer-9"));

        assertThat(answer.status()).isEqualTo(303);
        var page = server.get(answer.header("Location")).html();
        assertThat(page.select(".alert .alert-title").text()).isEqualTo(notice);
        assertThat(server.get(page.select(".alert a").attr("href")).status()).isIn(200, 404);
        assertThat(page.expectFirst("tbody tr").text())
                .contains("back-office in the back office", "<script>alert('pwned')</script>");
        assertThat(tasks.reads().find(STAFF, id).orElseThrow().status()).isEqualTo(status);
    }

    @Test
    void leavesATaskToTheWorkerThatTheSameFormGaveItToBefore() {
        var id = SAMPLE.submit(new TaskType("actions.reassign-twice"), 1).getFirst();
        var form = Map.of("worker", "printer-9", "reason", "");
        server.post(page(id) + "/reassign", form);
        tasks.protocol().claim(WORKER, id, new WorkerId("printer-9"), Duration.ofMinutes(5));

        var again = server.post(page(id) + "/reassign", form);

        var page = server.get(again.header("Location")).html();
        assertThat(page.select(".alert .alert-title").text()).isEqualTo("Worker printer-9 has the task.");
        assertThat(page.select(".alert a").attr("href")).isEqualTo("/tasks/workers/printer-9");
        assertThat(tasks.reads().find(STAFF, id).orElseThrow().status()).isEqualTo(TaskStatus.RUNNING);
    }

    @Test
    void retriesADeadTaskOnceHoweverOftenTheFormIsSent() {
        var id = SAMPLE.dead(new TaskType("actions.retry"), 1).getFirst();

        var done = server.post(page(id) + "/retry", Map.of("reason", ""));
        var again = server.post(page(id) + "/retry", Map.of("reason", ""));

        assertThat(server.get(done.header("Location"))
                        .html()
                        .select(".alert-title")
                        .text())
                .isEqualTo("The task will be tried again.");
        assertThat(again.header("Location")).isEqualTo(done.header("Location"));
        assertThat(tasks.reads().find(STAFF, id).orElseThrow().events())
                .filteredOn(event -> event.kind() == TaskEvent.Kind.RETRIED)
                .hasSize(1);
    }

    @Test
    void refusesToRetryATaskThatSomebodyHas() {
        var type = new TaskType("actions.held");
        SAMPLE.running(type, 1);
        var id = statuses(type, TaskStatus.RUNNING).getFirst().id();

        var refused = server.post(page(id) + "/retry", Map.of("reason", ""));

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.html().select("[role=alert]").text())
                .contains("Nothing was changed", "must be dead or cancelled, but task " + id + " is RUNNING");
        assertThat(refused.html().select("h1").text()).isEqualTo("actions.held");
    }

    @Test
    void cancelsATaskOnceHoweverOftenTheFormIsSent() {
        var id = SAMPLE.submit(new TaskType("actions.cancel-twice"), 1).getFirst();
        var done = server.post(page(id) + "/cancel", Map.of("reason", "not needed"));

        var again = server.post(page(id) + "/cancel", Map.of("reason", "not needed"));

        assertThat(again.header("Location")).isEqualTo(done.header("Location"));
        assertThat(server.get(again.header("Location"))
                        .html()
                        .select(".alert-title")
                        .text())
                .isEqualTo("The task is cancelled.");
        assertThat(server.get(page(SAMPLE.completed()) + "?did=cancel").html().select(".alert-success"))
                .as("what is not so")
                .isEmpty();
    }

    @Test
    void showsTheCloneAndWhatItIsACloneOf() {
        var id = SAMPLE.submit(new TaskType("actions.clone"), 1).getFirst();

        var answer = server.post(page(id) + "/clone", Map.of());

        var page = server.get(answer.header("Location")).html();
        assertThat(answer.header("Location")).doesNotContain(id.value());
        assertThat(page.select(".alert a").attr("href")).isEqualTo(page(id));
        assertThat(page.select("pre").text())
                .isEqualTo(server.get(page(id)).html().select("pre").text());
    }

    @Test
    void makesOneCloneHoweverOftenOneFormIsSent() {
        var ids = SAMPLE.submit(new TaskType("actions.clone"), 2);
        var form = server.get(page(ids.getFirst()) + "/clone").html();
        var key = Map.of("key", form.select("input[name=key]").attr("value"));

        var first = server.post(page(ids.getFirst()) + "/clone", key);
        var again = server.post(page(ids.getFirst()) + "/clone", key);
        var other = server.post(page(ids.getLast()) + "/clone", key);

        assertThat(first.status()).isEqualTo(303);
        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(other.status()).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"reassign, worker", "cancel, reason"})
    void asksAgainWhereWhatWasSentBreaksARule(String action, String field) {
        var id = SAMPLE.submit(new TaskType("actions.invalid"), 1).getFirst();

        var answer = server.post(page(id) + "/" + action, Map.of("worker", "a#b", "reason", "x".repeat(501)));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#" + field + "-error").text()).isNotEmpty();
        assertThat(answer.html().select("#" + field).attr("aria-invalid")).isEqualTo("true");
        assertThat(answer.html().select("#" + field).attr("value")).isNotEmpty();
        assertThat(tasks.reads().find(STAFF, id).orElseThrow().status()).isEqualTo(TaskStatus.PENDING);
    }

    @ParameterizedTest
    @CsvSource({
        "/tasks/01JDZZZZZZZZZZZZZZZZZZZZZZ, 404",
        "/tasks/01JDZZZZZZZZZZZZZZZZZZZZZZ/cancel, 404",
        "/tasks/bulk/01JDZZZZZZZZZZZZZZZZZZZZZZ, 404",
        "/tasks/workers/nobody, 404",
        "/tasks/nonsense, 400",
        "/tasks/bulk, 400",
        "/tasks/bulk?action=RETRY&status=PENDING, 400",
        "/tasks/bulk?action=CANCEL&idempotencyKey=k, 400"
    })
    void saysWhatDoesNotExistAndHowToGoOn(String page, int status) {
        var answer = server.get(page);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.html().select("main a").attr("href"))
                .isEqualTo(page.startsWith("/tasks/workers") ? "/tasks/workers" : "/tasks");
    }

    @Test
    void refusesToChangeWhatDoesNotExist() {
        var answer = server.post("/tasks/01JDZZZZZZZZZZZZZZZZZZZZZZ/cancel", Map.of());

        assertThat(answer.status()).isEqualTo(404);
    }

    @Test
    void showsHostileTextAsText() {
        for (var page : List.of(
                "/tasks?first=256",
                "/tasks?status=RUNNING",
                "/tasks?type=%3Cscript%3Ealert('pwned')%3C/script%3E",
                "/tasks/workers?first=256",
                "/tasks/workers/%3Cscript%3Ealert('pwned')%3C%2Fscript%3E",
                page(SAMPLE.pending()),
                page(SAMPLE.completed()),
                page(SAMPLE.cancelled()),
                page(SAMPLE.cancelled()) + "?did=%3Cscript%3E",
                "/tasks/bulk?action=CANCEL&type=%3Cscript%3Ealert('pwned')%3C/script%3E")) {
            for (var answer : List.of(server.get(page), server.htmx(page))) {
                assertThat(answer.body()).as(page).doesNotContain("<script>");
                assertThat(answer.html().select("script:not([src])")).isEmpty();
            }
            assertThat(server.get(page).html().wholeText()).as(page).contains("pwned");
        }
    }

    @Test
    void listsWorkersAndWhatEachHolds() {
        var row = server.get("/tasks/workers?first=256").html().expectFirst("tbody tr:contains(printer-2)");
        var worker = server.get(row.select("a").attr("href")).html();

        assertThat(row.text()).matches("printer-2 .*labels\\.print.* UTC [0-9]+ .* ago 1");
        assertThat(worker.select("h1").text()).isEqualTo("printer-2");
        assertThat(worker.select("tbody a").eachAttr("href")).containsExactly(page(SAMPLE.running()));
        assertThat(worker.select("tbody tr").text()).contains(" left");
        assertThat(server.get(worker.select("a[href*=.csv]").attr("href"))
                        .body()
                        .lines())
                .hasSize(2);
    }

    /** No page leads there, but an address does. */
    @ParameterizedTest
    @ValueSource(strings = {"clone", "reassign"})
    void saysWhyAnOperationOfMenuboardIsLeftAsItIs(String action) {
        var refused =
                server.post(page(SAMPLE.operation()) + "/" + action, Map.of("worker", "printer-2", "key", action));

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.html().select("[role=alert]").text())
                .startsWith("Nothing was changed")
                .contains("must not be of Menuboard's own operations");
    }

    @Test
    void asksBeforeItChangesManyTasks() {
        var type = new TaskType("bulk.preview");
        SAMPLE.dead(type, 12);
        var list = server.get("/tasks?status=DEAD&type=bulk.preview").html();

        var link = list.select(".list-actions a:contains(Retry all that match)").attr("href");
        var preview = server.get(link).html();

        assertThat(preview.select("h1").text()).isEqualTo("Retry 12 tasks?");
        assertThat(preview.select(".facts").text()).contains("dead tasks of type bulk.preview", "12 tasks");
        assertThat(preview.select("button").text()).isEqualTo("Retry 12 tasks");
        assertThat(preview.select("table[aria-label=Sample] tbody tr")).hasSize(10);
        assertThat(preview.select("#reason").hasAttr("required")).isTrue();
        assertThat(statuses(type, TaskStatus.DEAD)).hasSize(12);
    }

    @Test
    void changesManyTasksOnceHoweverOftenTheFormIsSent() {
        var type = new TaskType("bulk.twice");
        var ids = SAMPLE.dead(type, 30);
        var preview = server.get("/tasks/bulk?action=RETRY&status=DEAD&type=bulk.twice")
                .html();

        var first = confirm(preview, "paper is back");
        var second = confirm(preview, "paper is back");

        assertThat(first.status()).isEqualTo(303);
        assertThat(second.header("Location")).isEqualTo(first.header("Location"));
        var page = whenEnded(first.header("Location"));
        assertThat(page.select("h1").text()).startsWith("Retry dead tasks of type bulk.twice, submitted before ");
        assertThat(page.select(".lead").text()).contains("by back-office, in the back office", "paper is back");
        assertThat(page.expectFirst("[data-summary]").text()).isEqualTo("30 retried.");
        assertThat(page.select("tbody tr")).hasSize(30);
        assertThat(page.select("tbody .badge").eachText()).containsOnly("Retried");
        assertThat(server.get(first.header("Location") + "/outcomes.csv").body().lines())
                .hasSize(31)
                .contains(ids.getFirst() + ",true,");
        assertThat(statuses(type, TaskStatus.PENDING)).hasSize(30);
        assertThat(server.get(page(ids.getFirst()))
                        .html()
                        .expectFirst("tbody tr")
                        .text())
                .contains("Retried", "back-office in the back office", "paper is back");
    }

    @ParameterizedTest
    @CsvSource({"bulk.later, ''", "bulk.bounded, &submittedBefore=2199-01-01T00:00"})
    void changesNoTaskThatWasSubmittedAfterTheQuestionWasShown(String name, String bound) {
        var type = new TaskType(name);
        SAMPLE.submit(type, 2);
        var preview =
                server.get("/tasks/bulk?action=CANCEL&type=" + name + bound).html();
        var shown = SAMPLE.tasks().reads().now();
        await().until(() -> SAMPLE.tasks().reads().now().isAfter(shown.plusSeconds(1)));
        var later = SAMPLE.submit(type, 1);

        whenEnded(confirm(preview, "not needed").header("Location"));

        assertThat(statuses(type, TaskStatus.CANCELLED)).hasSize(2);
        assertThat(statuses(type, TaskStatus.PENDING)).hasSameSizeAs(later);
    }

    @Test
    void refusesABulkChangeWithoutAReason() {
        SAMPLE.submit(new TaskType("bulk.reason"), 1);
        var preview = server.get("/tasks/bulk?action=CANCEL&type=bulk.reason").html();

        var answer = confirm(preview, "  ");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.html().select("#reason-error").text())
                .isEqualTo("Must have 1 to 500 characters, not only blanks");
        assertThat(answer.html().select("button").text()).isEqualTo("Cancel 1 task");
        assertThat(answer.html().select("input[name=key]").attr("value"))
                .isEqualTo(preview.select("input[name=key]").attr("value"));
    }

    @Test
    void showsTheOperationThatTheSameFormBeganWithAnotherReason() {
        SAMPLE.submit(new TaskType("bulk.conflict"), 1);
        var preview = server.get("/tasks/bulk?action=CANCEL&type=bulk.conflict").html();
        var first = confirm(preview, "first thought");

        var second = confirm(preview, "second thought");

        assertThat(second.status()).isEqualTo(409);
        assertThat(second.html().select("[role=alert] a").attr("href")).isEqualTo(first.header("Location"));
        whenEnded(first.header("Location"));
        var third = confirm(preview, "third thought");
        assertThat(third.status()).isEqualTo(409);
        assertThat(third.html().select("[role=alert] a").attr("href")).isEqualTo(first.header("Location"));
        assertThat(third.html().select(".empty-title").text()).isEqualTo("Nothing matches any more");
    }

    @Test
    void showsTheOperationsOfTheApplication() {
        SAMPLE.submit(new TaskType("bulk.operation"), 2);
        var bulk = confirm(
                        server.get("/tasks/bulk?action=CANCEL&type=bulk.operation")
                                .html(),
                        "not needed")
                .header("Location");
        whenEnded(bulk);

        var html = server.get("/operations").html();

        var running = html.expectFirst("article");
        assertThat(running.select("h3 a").attr("href")).isEqualTo("/imports/" + TaskSample.IMPORT_ID);
        assertThat(running.text())
                .contains("Import", "Running", "Progress: prices.csv", "2,000 of 8,000", "grace, in the back office");
        assertThat(running.select("a:contains(Cancel)").attr("href")).isEqualTo(page(SAMPLE.operation()) + "/cancel");
        assertThat(html.select("table[aria-label=Last finished] a").eachAttr("href"))
                .contains(bulk);
        assertThat(html.select("#live > [hx-get]")).hasSize(1);
        assertThat(server.htmx("/operations").body()).doesNotContain("<html").contains("prices.csv");
    }

    @Test
    void saysWhereMoreOperationsWaitThanAreShown() {
        var busy = PagesServer.start("task-pages-busy");
        var waits = TasksInstance.of(busy::bean);
        var planned = SubmitTask.operation(new TaskType(TaskType.OPERATION_PREFIX + "planned"), Json.EMPTY)
                .notBefore(waits.reads().now().plus(Duration.ofDays(1)));
        waits.submission().submit(Access.ofSystem("planner", Actor.Source.SCHEDULER), Collections.nCopies(21, planned));

        // A new application may begin operations of its own.
        var html = await().until(
                        () -> busy.get("/operations").html(),
                        page -> page.expectFirst("[data-summary]").text().equals("0 running, at least 20 waiting."));
        var more = html.expectFirst("#more-0");
        assertThat(more.text()).isEqualTo("Planned, scheduled");
        assertThat(busy.get(more.attr("href")).html().select("tbody tr:contains(Scheduled)"))
                .hasSize(21);
        busy.stop();
    }

    private Answer confirm(Document preview, String reason) {
        return server.post(
                preview.select("main form[method=post]").attr("action"),
                Map.of("key", preview.select("input[name=key]").attr("value"), "reason", reason));
    }

    private Document whenEnded(String location) {
        return await().until(() -> server.get(location).html(), page -> page.select("#live > [hx-get]")
                .isEmpty());
    }

    private List<Task> statuses(TaskType type, TaskStatus status) {
        return tasks.reads()
                .list(STAFF, new TaskFilter(status, type, null, null, null, null), PageRequest.forward(100, null))
                .nodes();
    }

    private String row(String list, TaskId task) {
        return server.get(list)
                .html()
                .expectFirst("tbody tr:has(a[href=" + page(task) + "])")
                .text();
    }

    private List<Walked> walk(String start, String rel) {
        Function<Document, String> onward =
                html -> html.select("a[rel=" + rel + "]").attr("href");
        var pages = new ArrayList<Walked>();
        for (var address = start; !address.isEmpty(); ) {
            var html = server.get(address).html();
            pages.add(
                    new Walked(address, html.select("#live tbody .cell-main a").eachAttr("href")));
            address = onward.apply(html);
        }
        return pages;
    }

    private static int rank(String priority) {
        return List.of("Urgent", "High", "Normal", "Low").indexOf(priority);
    }

    private record Walked(String address, List<String> tasks) {}
}
