package io.menuboard.webadmin.pages;

import io.menuboard.access.http.OpenToAll;
import io.menuboard.billing.reports.MemoryFiles;
import io.menuboard.billing.reports.ReportFiles;
import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.favorites.Recounts;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.local.aws.LocalQueues;
import io.menuboard.messaging.ConsumedQueue;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.messaging.QueueConsumer;
import io.menuboard.messaging.SqsConsumers;
import io.menuboard.pricing.events.PriceEvents;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.pricing.imports.PriceSample;
import io.menuboard.querydb.MovingClock;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.workers.TaskFailed;
import io.menuboard.tasks.workers.TaskHandler;
import io.menuboard.tasks.workers.TaskWork;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.views.DefaultViewsResolver;
import io.micronaut.views.ViewsResolver;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Gives pages and contexts what an application gives them beside what {@code ContextFactory} does: queues, files, a bus. */
@Factory
@Requires(env = PagesServer.ENVIRONMENT)
public final class PagesFactory {
    static final String BUG_TEXT = "password=hunter2";

    @Singleton
    @Primary
    DynamoDbClient client() {
        return LocalDynamoDb.shared().directClient();
    }

    @Singleton
    @Replaces(Clock.class)
    @Requires(env = PagesServer.STANDING_CLOCK)
    Clock standingClock() {
        return Clock.fixed(PriceSample.NOW, ZoneOffset.UTC);
    }

    /** No day, month or quarter hour begins while a test runs, whenever that is. */
    @Singleton
    @Replaces(Clock.class)
    @Requires(notEnv = {PagesServer.STANDING_CLOCK, PagesServer.MOVING_CLOCK})
    Clock runningClock() {
        return Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), PagesServer.BEGIN));
    }

    @Singleton
    @Replaces(Clock.class)
    @Requires(env = PagesServer.MOVING_CLOCK)
    Clock movingClock() {
        return new MovingClock();
    }

    @Singleton
    SqsClient queues() {
        return LocalQueues.shared().client();
    }

    @Singleton
    @Named("changes")
    @Requires(property = PagesServer.CHANGES_QUEUE)
    ConsumedQueue changes(@Property(name = PagesServer.CHANGES_QUEUE) String url) {
        return new ConsumedQueue("changes", url);
    }

    @Singleton
    @Named("due")
    @Requires(property = PagesServer.DUE_QUEUE)
    ConsumedQueue due(@Property(name = PagesServer.DUE_QUEUE) String url) {
        return new ConsumedQueue("due", url);
    }

    /** Takes whatever comes. */
    @Singleton
    @Bean(preDestroy = "close")
    @Requires(property = PagesServer.DUE_QUEUE)
    QueueConsumer dueConsumer(SqsConsumers consumers, @Named("due") ConsumedQueue queue) {
        return consumers.oneByOne(queue, _ -> Optional::empty);
    }

    @Singleton
    @Bean(typed = {Bus.class, PriceEvents.class})
    @Requires(env = PagesServer.EVENT_BUS)
    Bus bus() {
        return new Bus();
    }

    /** Keeps what is published. */
    public static final class Bus implements PriceEvents {
        private final List<PriceUpdated> events = new CopyOnWriteArrayList<>();

        /** Everything that was published, in that order. */
        public List<PriceUpdated> events() {
            return events;
        }

        @Override
        public void publish(PriceUpdated event) {
            events.add(event);
        }
    }

    @Singleton
    @Primary
    @Requires(env = PagesServer.REPORTS)
    ReportFiles files() {
        return new MemoryFiles();
    }

    @Singleton
    @Named("downloads")
    @Requires(env = PagesServer.REPORTS)
    ReportFiles downloads(ReportFiles files) {
        return files;
    }

    @Singleton
    @Requires(env = PagesServer.REPORTS)
    BeanCreatedEventListener<PeriodicJob> noReportRun() {
        return without("billing");
    }

    /** Or one would begin in any test after three in the morning. */
    @Singleton
    @Requires(env = PagesServer.ENVIRONMENT)
    BeanCreatedEventListener<PeriodicJob> noNightlyRecount() {
        return without("favorite-recount");
    }

    private static BeanCreatedEventListener<PeriodicJob> without(String name) {
        return event -> {
            var job = event.getBean();
            return job.name().equals(name) ? new PeriodicJob(job.name(), job.interval(), () -> {}) : job;
        };
    }

    @Singleton
    @Requires(env = PagesServer.REPORTS)
    HeldRuns heldRuns() {
        return new HeldRuns();
    }

    @Singleton
    @Requires(env = PagesServer.REPORTS)
    BeanCreatedEventListener<TaskWork> holdRuns(HeldRuns held) {
        return event -> {
            var work = event.getBean();
            return work.type().equals(ReportRuns.TYPE)
                    ? new TaskWork(work.type(), work.concurrency(), held.instead(work.handler()))
                    : work;
        };
    }

    @Singleton
    @Requires(env = PagesServer.FAILING_RECOUNTS)
    BeanCreatedEventListener<TaskWork> failRecounts() {
        return event -> {
            var work = event.getBean();
            return work.type().equals(Recounts.TYPE)
                    ? new TaskWork(work.type(), work.concurrency(), _ -> {
                        throw new TaskFailed("no counts", false);
                    })
                    : work;
        };
    }

    /** Report runs that never end, from a moment on. */
    static final class HeldRuns {
        private volatile boolean held;

        void hold() {
            held = true;
        }

        TaskHandler instead(TaskHandler handler) {
            return run -> {
                if (held) {
                    run.progress(new TaskProgress(12_000, null, "12,000 lines"));
                    new CountDownLatch(1).await();
                }
                return handler.handle(run);
            };
        }
    }

    /** Notes which requests the filter of Micronaut Views sees: it asks for the view of each response. */
    @Singleton
    @Replaces(DefaultViewsResolver.class)
    @Requires(env = PagesServer.ENVIRONMENT)
    static final class NotedViews implements ViewsResolver {
        private final List<String> paths = new CopyOnWriteArrayList<>();

        /** Of every request so far. */
        List<String> paths() {
            return paths;
        }

        @Override
        public Optional<String> resolveView(HttpRequest<?> request, HttpResponse<?> response) {
            paths.add(request.getPath());
            return Optional.empty();
        }
    }

    /** Pages that have a bug. */
    @OpenToAll
    @Controller("/broken")
    @Requires(env = PagesServer.ENVIRONMENT)
    static final class Broken {
        private final Views views;

        Broken(Views views) {
            this.views = views;
        }

        @Get
        String page() {
            return Optional.<String>empty().orElseThrow(() -> new IllegalStateException(BUG_TEXT));
        }

        @Post
        @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
        String form() {
            return page();
        }

        /** Fails as a write does whose answer is lost. */
        @Get("/unanswered")
        String unanswered() {
            return Optional.<String>empty().orElseThrow(() -> SdkClientException.create(BUG_TEXT));
        }

        @Post("/unanswered")
        @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
        String unansweredForm() {
            return unanswered();
        }

        /** Fails in the middle of its template. */
        @Get("/template")
        HttpResponse<?> template() {
            return views.page("error", new Unfit("A title", BUG_TEXT));
        }

        record Unfit(String title, String search) {}
    }
}
