package io.menuboard.bench;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.billing.reports.BillingAt;
import io.menuboard.billing.reports.ReportFiles;
import io.menuboard.billing.reports.ReportRun;
import io.menuboard.billing.transactions.AgencyId;
import io.menuboard.billing.transactions.RecordOutcome;
import io.menuboard.billing.transactions.RecordTransaction;
import io.menuboard.billing.transactions.TransactionId;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.Money;
import io.menuboard.local.aws.LocalS3;
import io.menuboard.querydb.QueryDb;
import io.menuboard.querydb.audit.AuditTrail;
import io.menuboard.tasks.TasksInstance;
import io.micronaut.context.ApplicationContext;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;

/**
 * Billing: transactions recorded, against the same DynamoDB transactions made with the SDK's client alone; and a report
 * run, against the same partitions paged with the SDK's client alone. Interleaved in one run. The instance is an
 * application context of this process, and so is what stands in for S3.
 */
final class BillingBenchmark implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int CALL = 1_000;
    private static final int ROUNDS = 6;
    private static final int AGENCIES = 200;
    private static final int LARGE = Integer.getInteger("bench.rows", 200_000);
    private static final int SMALL = LARGE / 10;
    private static final int READS = 3;

    /** Where a quarter hour has many more, DynamoDB Local takes seconds for each page of it. */
    private static final int MOST_OF_A_QUARTER = 100_000;

    private static final Access ACCESS =
            CurrentAccess.EVERYTHING.of(new Actor(Actor.Kind.TOKEN, "bench", Actor.Source.WORKER));

    private final LocalS3 s3 = LocalS3.start(null);
    private final ApplicationContext instance;
    private final RawBilling raw;
    private final BillingAt billing;
    private Instant time = Instant.parse("2026-01-05T00:00:00Z");

    BillingBenchmark(URI table) {
        System.setProperty("aws.region", "eu-central-1");
        System.setProperty("aws.endpointUrlDynamoDb", table.toString());
        System.setProperty("aws.endpointUrlS3", s3.endpoint().toString());
        System.setProperty("aws.accessKeyId", "local");
        System.setProperty("aws.secretAccessKey", "local");
        s3.createBucket("bench");
        instance = ApplicationContext.run(Map.<String, Object>of("menuboard.files.bucket", "bench"));
        raw = new RawBilling(table);
        billing = new BillingAt(
                instance.getBean(QueryDb.class),
                instance.getBean(AuditTrail.class),
                TasksInstance.of(instance::getBean),
                instance.getBean(ReportFiles.class),
                time);
        billing.begin();
    }

    String report() throws InterruptedException, ExecutionException {
        return "## Billing\n" + recording() + reporting();
    }

    private String recording() throws InterruptedException, ExecutionException {
        round(0);
        var rawSeconds = 0.0;
        var ourSeconds = 0.0;
        for (var round = 1; round <= ROUNDS; round++) {
            var seconds = round(round);
            rawSeconds += seconds[0];
            ourSeconds += seconds[1];
        }
        var transactions = (double) ROUNDS * THREADS * CALL;
        return """
                Measured by `BillingBenchmark`, which is part of `mvn -Pbench`.

                Recording transactions, %,d in each call by %d threads. *Raw* makes the same DynamoDB transactions, of 49 transactions
                each with their markers and a counter, with the SDK's client alone. Both take turns, %d rounds.

                | caller | transactions/s | to raw |
                | --- | ---: | ---: |
                | raw, SDK client | %.0f | 1.00 |
                | `Billing.record` | %.0f | %.2f |

                """.formatted(
                CALL, THREADS, ROUNDS, transactions / rawSeconds, transactions / ourSeconds, rawSeconds / ourSeconds);
    }

    /** Seconds of both for the same number of transactions. */
    private double[] round(int round) throws InterruptedException, ExecutionException {
        var seconds = new double[2];
        for (var turn = 0; turn < 2; turn++) {
            // Who is first takes turns too.
            if ((turn + round) % 2 == 0) {
                var ids = "raw-" + round + "-";
                seconds[0] = seconds(() -> together(thread -> raw.record(ids + thread + "-", CALL, time, AGENCIES)));
            } else {
                var ids = "our-" + round + "-";
                seconds[1] = seconds(() -> together(thread -> record(ids + thread + "-", CALL)));
            }
        }
        return seconds;
    }

    private void record(String prefix, int count) {
        var commands = IntStream.range(0, count)
                .mapToObj(i -> new RecordTransaction(
                        new TransactionId(prefix + i),
                        new AgencyId("agency-" + i % AGENCIES),
                        "PRODUCT-" + i % 500,
                        "customer-" + i,
                        new Money(BigDecimal.valueOf(199 + i, 2), Money.currencyOf("EUR")),
                        time,
                        new BigDecimal("0.15"),
                        null,
                        null))
                .toList();
        check(billing.billing().record(ACCESS, commands).stream().allMatch(RecordOutcome.Recorded.class::isInstance));
    }

    private String reporting() throws InterruptedException, ExecutionException {
        billing.setTime(time.plus(Duration.ofMinutes(30)));
        billing.report(ACCESS);
        var rawSeconds = 0.0;
        var ourSeconds = 0.0;
        for (var read = 0; read <= READS; read++) {
            nextQuarter(LARGE);
            var quarter = time;
            var run = new ArrayList<ReportRun>();
            var ofRaw = seconds(() -> check(raw.read(quarter) == LARGE));
            var ofUs = seconds(() -> run.add(billing.report(ACCESS)));
            var result = run.getFirst().result();
            check(result != null && result.lines() == LARGE);
            // The first one warms both up.
            if (read > 0) {
                rawSeconds += ofRaw;
                ourSeconds += ofUs;
            }
        }
        var heapOfFew = heapOfReport(SMALL);
        var heapOfMany = heapOfReport(LARGE);
        var rows = (double) READS * LARGE;
        return """
                A report run over %,d new transactions of %d agencies: partitions read, ledger, reports as CSV and JSON, manifest, all
                of them uploaded. *Raw* pages through the same partitions with the SDK's client alone, one after the other, and
                throws away what it reads. Both take turns, %d runs.

                | caller | rows/s | to raw |
                | --- | ---: | ---: |
                | raw, SDK client | %.0f | 1.00 |
                | report run | %.0f | %.2f |

                Heap in use after a collection, the most that was seen during a run: %d MB with %,d rows, %d MB with %,d.

                """.formatted(
                        LARGE,
                        AGENCIES,
                        READS,
                        rows / rawSeconds,
                        rows / ourSeconds,
                        rawSeconds / ourSeconds,
                        heapOfFew >> 20,
                        SMALL,
                        heapOfMany >> 20,
                        LARGE);
    }

    /** The most bytes of heap in use after a collection that were seen during a run over so many new transactions. */
    long heapOfReport(int rows) {
        for (var left = rows; left > 0; left -= MOST_OF_A_QUARTER) {
            nextQuarter(Math.min(left, MOST_OF_A_QUARTER));
        }
        return billing.heapOfReport(ACCESS);
    }

    private void nextQuarter(int rows) {
        time = time.plus(Duration.ofMinutes(15));
        raw.fill("at " + time + " ", rows, time, AGENCIES);
        billing.setTime(time.plus(Duration.ofMinutes(30)));
    }

    /** What each thread does. */
    @FunctionalInterface
    private interface Part {
        void run(int thread);
    }

    private static void together(Part part) throws InterruptedException, ExecutionException {
        TaskBenchmark.together(IntStream.range(0, THREADS)
                .<Callable<Void>>mapToObj(thread -> () -> {
                    part.run(thread);
                    return null;
                })
                .toList());
    }

    /** Something that takes time. */
    @FunctionalInterface
    private interface Work {
        void run() throws InterruptedException, ExecutionException;
    }

    private static double seconds(Work work) throws InterruptedException, ExecutionException {
        var begin = System.nanoTime();
        work.run();
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void check(boolean right) {
        if (!right) {
            throw new IllegalStateException("not what was expected");
        }
    }

    @Override
    public void close() {
        instance.close();
        raw.close();
        s3.close();
    }
}
