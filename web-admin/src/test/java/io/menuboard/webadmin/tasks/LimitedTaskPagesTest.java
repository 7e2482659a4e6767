package io.menuboard.webadmin.tasks;

import static io.menuboard.tasks.TasksFixture.STAFF;
import static io.menuboard.tasks.TasksFixture.WORKER;
import static io.menuboard.webadmin.pages.TaskSample.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.http.HeaderPrincipals;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.TaskFilter;
import io.menuboard.tasks.TaskId;
import io.menuboard.tasks.TaskStatus;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.TasksInstance;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.bulk.BulkChange;
import io.menuboard.tasks.bulk.BulkOperations;
import io.menuboard.tasks.claims.ClaimTasks;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Pages of tasks as those see them who may read what one worker holds, or no task at all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitedTaskPagesTest {
    private static final String OWN = "WORKER WORKER#printer-2";
    private static final String SOME_STORES = "VIEWER STORES#DE-0001";

    private final PagesServer server = PagesServer.start("limited-tasks", Map.of(HeaderPrincipals.SETTING, true));
    private final TaskId own = held("labels.print", "printer-2");
    private final TaskId foreign = held("mail.send", "mailer-1");

    @AfterAll
    void stop() {
        server.stop();
    }

    @Test
    void beginWithWhatTheWorkerHolds() {
        var start = get("/", OWN);
        assertThat(start.header("Location")).isEqualTo("/tasks");

        for (var list : List.of("/tasks", "/tasks?status=RUNNING", "/tasks?status=RUNNING&worker=printer-2")) {
            var page = get(list, OWN);

            assertThat(page.status()).as(list).isEqualTo(200);
            assertThat(page.html().select("#live tbody td.cell-main a").eachAttr("href"))
                    .containsExactly(page(own));
            assertThat(page.html().select(".tabs a").eachText()).containsExactly("Running");
            assertThat(page.html().select("#worker").attr("value")).isEqualTo("printer-2");
        }
        assertThat(get("/tasks", "WORKER WORKER#printer-9")
                        .html()
                        .select("#live")
                        .text())
                .contains("No running tasks match");
    }

    @Test
    void leadNowhereThatIsRefused() {
        for (var path : List.of("/tasks", page(own), "/tasks/workers/printer-2")) {
            var page = get(path, OWN);

            assertThat(page.status()).as(path).isEqualTo(200);
            var links = page.html().select("main a[href^=/]").eachAttr("href");
            assertThat(links).isNotEmpty().allSatisfy(link -> assertThat(
                            get(link, OWN).status())
                    .as(path + " leads to " + link)
                    .isEqualTo(200));
        }
    }

    @Test
    void refuseWhatOthersHold() {
        assertThat(get(page(foreign), OWN).status()).isEqualTo(404);
        assertThat(get("/tasks?status=DEAD", OWN).status()).isEqualTo(403);
        assertThat(get("/tasks?status=RUNNING&worker=mailer-1", OWN).status()).isEqualTo(403);
    }

    @Test
    void areOfferedToNobodyWhoReadsPricesOfSomeStores() {
        var stores = get("/stores", SOME_STORES);

        assertThat(stores.html().select("nav[aria-label=Main] a").eachAttr("href"))
                .contains("/stores")
                .doesNotContain("/tasks");
        assertThat(get("/stores", "VIEWER ALL")
                        .html()
                        .select("nav[aria-label=Main] a")
                        .eachAttr("href"))
                .contains("/tasks");
    }

    @Test
    void sayWhatIsMissingWhereThePermissionIsForAPart() {
        var refused = get("/tasks", SOME_STORES);

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.html().select("main").text())
                .contains("It takes the permission TASKS_READ for more than you have it for.")
                .doesNotContain("which you do not have");
    }

    @Test
    void areLinkedFromTheAuditTrailForWhoSeesAllTasks() {
        server.bean(AuditTrail.class).record(STAFF.actor(), "TASK#" + own, "changed", Map.of());

        for (var limited : List.of(SOME_STORES, OWN)) {
            var page = get("/audit", "ADMINISTRATOR ALL", limited);
            assertThat(page.html().select("tbody").text()).contains("Task " + own);
            assertThat(page.html().select("tbody a[href^=/tasks]")).isEmpty();
        }
        assertThat(get("/audit", "ADMINISTRATOR ALL", "VIEWER ALL")
                        .html()
                        .select("tbody a[href^=/tasks]")
                        .eachAttr("href"))
                .contains(page(own));
    }

    @Test
    void leadWhoChangedManyTasksNowhereThatIsRefused() {
        var filter = new TaskFilter(TaskStatus.DEAD, new TaskType("no.such"), null, null, null, null);
        var change = new BulkChange(BulkChange.Action.RETRY, filter, "tried again");
        var begun = (SubmitResult.Created) server.bean(BulkOperations.class).start(STAFF, change, "limited-bulk");
        var operator = "TASK_OPERATOR ALL";

        var page = get("/tasks/bulk/" + begun.task().id(), operator);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.html().select("nav[aria-label=Main] [aria-current]").attr("href"))
                .isEqualTo("/tasks");
        var links = page.html().select("main a[href^=/]").eachAttr("href");
        assertThat(links)
                .contains("/tasks")
                .allSatisfy(link ->
                        assertThat(get(link, operator).status()).as(link).isLessThan(400));
    }

    private TaskId held(String type, String worker) {
        var tasks = TasksInstance.of(server::bean);
        var asked = new TaskType(type);
        tasks.submission().submit(STAFF, List.of(SubmitTask.of(asked, Json.EMPTY)));
        return tasks.protocol()
                .claim(
                        WORKER,
                        new ClaimTasks(
                                new WorkerId(worker), List.of(asked), 1, Duration.ofSeconds(10), Duration.ofHours(1)))
                .getFirst()
                .id();
    }

    private Answer get(String path, String... grants) {
        var request = HttpRequest.newBuilder(server.address(path)).header("Accept", "text/html,*/*;q=0.8");
        List.of(grants).forEach(grant -> request.header(HeaderPrincipals.GRANT, grant));
        return server.send(request);
    }
}
