package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.menuboard.querydb.QueryDbException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkClientException;

/** What the log has of faults that are expected, and what it does not have at all. */
@Isolated("the log is that of the whole process")
final class LogLinesTest {
    @Test
    void aFaultThatPassesIsOneLineWithItsReason() {
        var fault = SdkClientException.create("no answer");

        var line = logged(
                        getClass(),
                        () -> QueryDbException.warn(
                                LoggerFactory.getLogger(getClass()), fault, "claiming postponed: type={}", "print"))
                .getFirst();

        assertThat(line.getFormattedMessage()).isEqualTo("claiming postponed: type=print cause=no answer");
        assertThat(line.getThrowableProxy()).isNull();
    }

    @Test
    void anyOtherFaultKeepsItsStackTrace() {
        var fault = new IllegalStateException("a bug");

        var line = logged(
                        getClass(),
                        () -> QueryDbException.warn(
                                LoggerFactory.getLogger(getClass()), fault, "claiming postponed: type={}", "print"))
                .getFirst();

        assertThat(line.getFormattedMessage()).isEqualTo("claiming postponed: type=print");
        assertThat(line.getThrowableProxy().getMessage()).isEqualTo("a bug");
    }

    @Test
    void noExecutorIsUnknownToWhatMeasuresThem() {
        assertThat(logged(ExecutorServiceMetrics.class, () -> {
                    try (var server = ApplicationServer.start(Map.of())) {
                        server.execute("{ __typename }");
                        server.send(HttpRequest.newBuilder(server.graphQl().resolve("/stores")));
                        assertThat(server.bean(MeterRegistry.class)
                                        .find("executor.active")
                                        .tag("name", "graphql")
                                        .gauges())
                                .isNotEmpty();
                    }
                }))
                .isEmpty();
    }

    private static List<ILoggingEvent> logged(Class<?> by, Runnable work) {
        var logger = (Logger) LoggerFactory.getLogger(by);
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        logger.addAppender(log);
        try {
            work.run();
        } finally {
            logger.detachAppender(log);
        }
        return log.list;
    }
}
