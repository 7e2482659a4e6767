package io.menuboard.local;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.kernel.Actor;
import io.menuboard.tasks.Json;
import io.menuboard.tasks.SubmitResult;
import io.menuboard.tasks.SubmitTask;
import io.menuboard.tasks.Task;
import io.menuboard.tasks.TaskAdministration;
import io.menuboard.tasks.TaskPriority;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskReads;
import io.menuboard.tasks.TaskResult;
import io.menuboard.tasks.TaskSubmission;
import io.menuboard.tasks.TaskType;
import io.menuboard.tasks.WorkerId;
import io.menuboard.tasks.claims.ClaimTasks;
import io.menuboard.tasks.claims.WorkerProtocol;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A few dozen tasks in every status, as the systems and the people of a group would have left them. */
final class SampleTasks {
    private static final Access CLIENT = access(Actor.Kind.TOKEN, "store systems", Actor.Source.GRAPHQL);
    private static final Access PERSON = access(Actor.Kind.USER, "maria.lopez", Actor.Source.PAGE);
    private static final Duration LEASE = Duration.ofHours(1);
    private static final List<TaskPriority> PRIORITIES =
            List.of(TaskPriority.NORMAL, TaskPriority.NORMAL, TaskPriority.HIGH, TaskPriority.LOW);

    /** Tasks of each kind, and what becomes of those that are claimed first. */
    private static final int EACH = 9;

    private static final int COMPLETED = 2;
    private static final int CLAIMED = COMPLETED + 4;

    private static final List<Kind> KINDS = List.of(
            new Kind("labels.print", "label-printer-1", "the printer has no paper", "shelf labels", 240),
            new Kind("menus.publish", "menu-publisher-a", "the kiosk does not answer", "screens", 18),
            new Kind("mail.send", "mail-gateway-2", "the mailbox is full", "messages", 60),
            new Kind("stock.count", "stock-counter-7", "the scanner is offline", "shelves", 35),
            new Kind("reports.daily-sales", "reporting-eu-1", "yesterday is not closed yet", "stores", 30));

    private final TaskSubmission submission;
    private final WorkerProtocol protocol;
    private final TaskAdministration administration;
    private final TaskReads reads;

    private SampleTasks(ApplicationContext application) {
        submission = application.getBean(TaskSubmission.class);
        protocol = application.getBean(WorkerProtocol.class);
        administration = application.getBean(TaskAdministration.class);
        reads = application.getBean(TaskReads.class);
    }

    private static Access access(Actor.Kind kind, String name, Actor.Source source) {
        return CurrentAccess.EVERYTHING.of(new Actor(kind, name, source));
    }

    /** Makes them, and answers how many they are. */
    static int load(ApplicationContext application) {
        var sample = new SampleTasks(application);
        return KINDS.stream().mapToInt(sample::load).sum();
    }

    /**
     * Tasks of one type.
     *
     * @param trouble why it fails
     * @param unit what its progress counts
     */
    private record Kind(String type, String worker, String trouble, String unit, long total) {}

    private int load(Kind kind) {
        var type = new TaskType(kind.type);
        var submitted = submission.submit(
                CLIENT,
                IntStream.range(0, EACH)
                        .mapToObj(number -> SubmitTask.of(type, payload(kind, number))
                                .priority(PRIORITIES.get(number % PRIORITIES.size())))
                        .toList());
        var later = submission.submit(
                CLIENT,
                SubmitTask.of(type, payload(kind, EACH))
                        .notBefore(reads.now().plus(Duration.ofHours(18)))
                        .idempotencyKey(kind.type + "-tomorrow"));
        var worker = access(Actor.Kind.TOKEN, kind.worker, Actor.Source.WORKER);
        var claimed = protocol.claim(
                        worker, new ClaimTasks(new WorkerId(kind.worker), List.of(type), CLAIMED, Duration.ZERO, LEASE))
                .iterator();
        for (var i = 0; i < COMPLETED; i++) {
            var task = claimed.next();
            done(protocol.complete(worker, task.id(), task.leaseToken(), Json.of(Map.of(kind.unit, kind.total))));
        }
        fail(claimed.next(), kind, false, worker);
        fail(claimed.next(), kind, true, worker);
        var retried = fail(claimed.next(), kind, false, worker);
        done(administration.retry(PERSON, retried.id(), "it works again"));
        done(administration.cancel(PERSON, retried.id(), "the store did it by hand"));
        var running = claimed.next();
        var progress = new TaskProgress(kind.total / 3, kind.total, kind.unit);
        done(protocol.extend(worker, running.id(), running.leaseToken(), LEASE, progress));
        return submitted.size() + (later instanceof SubmitResult.Created ? 1 : 0);
    }

    private Task fail(Task task, Kind kind, boolean retryable, Access worker) {
        return done(protocol.fail(worker, task.id(), task.leaseToken(), kind.trouble, retryable));
    }

    private static Json payload(Kind kind, int number) {
        return Json.of(Map.of("store", "DE-%04d".formatted(number % 3 + 1), kind.unit, kind.total + number));
    }

    private static Task done(TaskResult result) {
        if (result instanceof TaskResult.Done(var task)) {
            return task;
        }
        throw new IllegalStateException("the sample's tasks are nobody else's: " + result);
    }
}
