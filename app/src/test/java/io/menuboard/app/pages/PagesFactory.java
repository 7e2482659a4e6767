package io.menuboard.app.pages;

import io.menuboard.billing.reports.ReportRuns;
import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.local.aws.LocalQueues;
import io.menuboard.local.aws.LocalS3;
import io.menuboard.messaging.PeriodicJob;
import io.menuboard.pricing.events.PriceEvents;
import io.menuboard.pricing.events.PriceUpdated;
import io.menuboard.tasks.TaskHandler;
import io.menuboard.tasks.TaskProgress;
import io.menuboard.tasks.TaskWork;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The application's way to a table in this process, and, where one is asked for, a clock that stands still. */
@Factory
@Requires(env = PagesServer.ENVIRONMENT)
final class PagesFactory {
    static final String BUCKET = "pages";
    static final String BUG_TEXT = "password=hunter2";

    @Singleton
    @Named("interactive")
    @Bean(typed = DynamoDbClient.class)
    @Replaces(value = DynamoDbClient.class, named = "interactive")
    DynamoDbClient client() {
        return LocalDynamoDb.shared().client();
    }

    @Singleton
    @Named("background")
    @Bean(typed = DynamoDbClient.class)
    @Replaces(value = DynamoDbClient.class, named = "background")
    DynamoDbClient backgroundClient() {
        return LocalDynamoDb.shared().client();
    }

    @Singleton
    @Replaces(Clock.class)
    @Requires(env = PagesServer.STANDING_CLOCK)
    Clock clock() {
        return Clock.fixed(Sample.NOW, ZoneOffset.UTC);
    }

    /** Of the queues in this process, where a server is told of some. */
    @Singleton
    @Replaces(SqsClient.class)
    SqsClient queues() {
        return LocalQueues.shared().client();
    }

    /** Of a bucket in this process, where a server is told of one. */
    @Singleton
    @Named("runs")
    @Replaces(value = S3Client.class, named = "runs")
    @Requires(property = "menuboard.files.bucket")
    S3Client filesOfRuns() {
        return files();
    }

    @Singleton
    @Named("downloads")
    @Replaces(value = S3Client.class, named = "downloads")
    @Requires(property = "menuboard.files.bucket")
    S3Client filesOfDownloads() {
        return files();
    }

    private static S3Client files() {
        return S3Client.builder()
                .httpClientBuilder(ApacheHttpClient.builder())
                .endpointOverride(Bucket.SERVER.endpoint())
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .build();
    }

    @Singleton
    @Bean(typed = {Bus.class, PriceEvents.class})
    @Requires(env = PagesServer.EVENT_BUS)
    Bus bus() {
        return new Bus();
    }

    @Singleton
    @Requires(env = PagesServer.HELD_RUNS)
    BeanCreatedEventListener<PeriodicJob> noSchedule() {
        return event -> {
            var work = event.getBean();
            return work.name().equals("billing") ? new PeriodicJob(work.name(), work.interval(), () -> {}) : work;
        };
    }

    @Singleton
    @Requires(env = PagesServer.HELD_RUNS)
    HeldRuns heldRuns() {
        return new HeldRuns();
    }

    @Singleton
    @Requires(env = PagesServer.HELD_RUNS)
    BeanCreatedEventListener<TaskWork> holdRuns(HeldRuns held) {
        return event -> {
            var work = event.getBean();
            return work.type().equals(ReportRuns.TYPE)
                    ? new TaskWork(work.type(), work.concurrency(), held.instead(work.handler()))
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

    /** Keeps what is published. */
    static final class Bus implements PriceEvents {
        private final List<PriceUpdated> events = new CopyOnWriteArrayList<>();

        List<PriceUpdated> events() {
            return events;
        }

        @Override
        public void publish(PriceUpdated event) {
            events.add(event);
        }
    }

    private static final class Bucket {
        static final LocalS3 SERVER = LocalS3.start(null);

        static {
            SERVER.createBucket(BUCKET);
        }
    }

    /** Pages that have a bug. */
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

        /** Fails in the middle of its template. */
        @Get("/template")
        HttpResponse<?> template() {
            return views.page("error", new Unfit("A title", BUG_TEXT));
        }

        record Unfit(String title, String search) {}
    }
}
