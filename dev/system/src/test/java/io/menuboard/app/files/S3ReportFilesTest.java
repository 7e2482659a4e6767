package io.menuboard.app.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.local.aws.LocalS3;
import io.menuboard.local.aws.LocalS3.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.S3Exception;

@Timeout(60)
class S3ReportFilesTest {
    private static final String CSV = "text/csv; charset=utf-8";
    private static final int CONNECTIONS = 2;
    private static final int WRITERS = 32;
    private static final int LARGE = 30 * 1024 * 1024;

    private final Path folder;
    private final LocalS3 server = LocalS3.start(null);
    private final S3Client s3 = client(CONNECTIONS);
    private final S3ReportFiles files = new S3ReportFiles(s3, new S3Config("menuboard-files", ""));

    S3ReportFilesTest(@TempDir Path folder) {
        this.folder = folder;
        server.createBucket("menuboard-files");
    }

    @AfterEach
    void stop() {
        s3.close();
        server.close();
    }

    @Test
    void oneOfManyWhoCreateAFileHasStoredItsOwn() throws IOException, InterruptedException, ExecutionException {
        for (var round = 0; round < 10; round++) {
            var name = "ledgers/" + round + ".csv";
            var contents = new ArrayList<Path>();
            for (var writer = 0; writer < WRITERS; writer++) {
                contents.add(file("writer " + writer + "\n" + "x".repeat(writer * 1000)));
            }
            var created = new ArrayList<Future<Boolean>>();
            try (var many = client(WRITERS);
                    var threads = Executors.newFixedThreadPool(WRITERS)) {
                var theirs = new S3ReportFiles(many, new S3Config("menuboard-files", ""));
                var start = new CountDownLatch(1);
                for (var content : contents) {
                    created.add(threads.submit(() -> {
                        start.await();
                        return theirs.create(name, content, CSV);
                    }));
                }
                start.countDown();
            }

            var winners = new ArrayList<Path>();
            for (var writer = 0; writer < WRITERS; writer++) {
                if (created.get(writer).get()) {
                    winners.add(contents.get(writer));
                }
            }
            assertThat(winners).singleElement().satisfies(winner -> assertThat(text(files.open(name)))
                    .isEqualTo(Files.readString(winner)));
        }
    }

    @Test
    void aFileThatIsThereIsNotCreatedAgain() throws IOException {
        assertThat(files.create("a.csv", file("first"), CSV)).isTrue();

        assertThat(files.create("a.csv", file("second"), CSV)).isFalse();
        assertThat(text(files.open("a.csv"))).isEqualTo("first");
    }

    @Test
    void aFileWhoseAnswerWasLostIsThereAndWasNotCreatedByTheRepetition() throws IOException {
        server.failNext(Fault.ANSWER_IS_LOST, 1);

        assertThat(files.create("a.csv", file("first"), CSV)).isFalse();
        assertThat(text(files.open("a.csv"))).isEqualTo("first");
    }

    @Test
    void saysHowLongAFileIs() throws IOException {
        files.create("a.csv", file("0123456789"), CSV);
        files.create("empty.csv", file(""), CSV);

        for (var often = 0; often < 3 * CONNECTIONS; often++) {
            assertThat(files.length("a.csv")).hasValue(10);
            assertThat(files.length("empty.csv")).hasValue(0);
            assertThat(files.length("none.csv")).isEmpty();
        }
    }

    @Test
    void whatIsRefusedForAnotherRequestIsRepeated() throws IOException {
        server.failNext(Fault.CONFLICTS, 2);

        assertThat(files.create("a.csv", file("first"), CSV)).isTrue();
        assertThat(text(files.open("a.csv"))).isEqualTo("first");
    }

    @Test
    void afterItsRetriesAFaultIsTheCallersAndNothingIsStored() throws IOException {
        var content = file("first");
        server.failNext(Fault.FAILS, 4);

        assertThatThrownBy(() -> files.create("a.csv", content, CSV))
                .isInstanceOfSatisfying(
                        S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(500));
        assertThat(files.open("a.csv")).isEmpty();
    }

    @Test
    void browsersAreToldTheMediaType() throws IOException {
        files.create("a.csv", file("first"), CSV);

        try (var object =
                s3.getObject(request -> request.bucket("menuboard-files").key("a.csv"))) {
            assertThat(object.response().contentType()).isEqualTo(CSV);
        }
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            0,  10,                  0123456789
            0,  3,                   012
            3,  4,                   3456
            9,  1,                   9
            7,  3,                   789
            7,  4,                   789
            7,  9223372036854775807, 789
            7,  9223372036854775800, 789
            0,  9223372036854775806, 0123456789
            10, 1,                   ''
            10, 9223372036854775807, ''
            11, 5,                   ''
            3,  0,                   ''
            0,  0,                   ''
            10, 0,                   ''
            """)
    void aPartIsWhatTheFileHasOfIt(long from, long length, String part) throws IOException {
        files.create("a.csv", file("0123456789"), CSV);

        assertThat(text(files.open("a.csv", from, length))).isEqualTo(part);
    }

    @ParameterizedTest
    @CsvSource({"-1, 5", "0, -1", "-5, 9223372036854775807"})
    void whatIsNoPartIsRefused(long from, long length) {
        assertThatThrownBy(() -> files.open("a.csv", from, length)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anEmptyFileIsThereAndHasNothingToRead() throws IOException {
        files.create("empty.csv", file(""), CSV);

        assertThat(text(files.open("empty.csv"))).isEmpty();
        assertThat(text(files.open("empty.csv", 0, 5))).isEmpty();
        try (var content = files.open("empty.csv").orElseThrow()) {
            assertThat(content.read()).isEqualTo(-1);
        }
    }

    @Test
    void aFileThatIsNotThereIsEmptyWhateverPartIsAskedFor() {
        assertThat(files.open("none.csv")).isEmpty();
        assertThat(files.open("none.csv", 5, 5)).isEmpty();
        assertThat(files.open("none.csv", 5, 0)).isEmpty();
    }

    @Test
    void aBucketThatIsNotThereIsNotTakenForAFileThatIsNot() {
        var lost = new S3ReportFiles(s3, new S3Config("another-bucket", ""));

        assertThatThrownBy(() -> lost.open("a.csv")).isInstanceOf(NoSuchBucketException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a%2Fb/c%.csv", "a/b", "a/b/c", "2026-03/A_b-c.1.csv", "%25", "..", "a/../b"})
    void aNameIsTakenAsItIs(String name) throws IOException {
        files.create(name, file(name), CSV);

        assertThat(text(files.open(name))).isEqualTo(name);
        for (var other : new String[] {"a/b/c%.csv", "a", "b", "%", "A/B"}) {
            assertThat(files.open(other)).as(other).isEmpty();
        }
    }

    @Test
    void namesBeginWithThePrefix() throws IOException {
        var prefixed = new S3ReportFiles(s3, new S3Config("menuboard-files", "billing/"));

        prefixed.create("a.csv", file("first"), CSV);

        assertThat(text(files.open("billing/a.csv"))).isEqualTo("first");
        assertThat(text(prefixed.open("a.csv"))).isEqualTo("first");
        assertThat(files.open("a.csv")).isEmpty();
    }

    @Test
    void aLargeFileComesBackAsItWas() throws IOException {
        var content = large();
        files.create("large.bin", content, "application/octet-stream");

        try (var read = files.open("large.bin").orElseThrow()) {
            assertThat(read).hasSameContentAs(Files.newInputStream(content));
        }
        try (var read = files.open("large.bin", LARGE - 5L, 10).orElseThrow()) {
            var end = Files.readAllBytes(content);
            assertThat(read.readAllBytes()).isEqualTo(Arrays.copyOfRange(end, LARGE - 5, LARGE));
        }
    }

    @Test
    void streamsThatAreClosedEarlyGiveTheirConnectionsBack() throws IOException {
        files.create("large.bin", large(), "application/octet-stream");

        for (var reader = 0; reader < 10 * CONNECTIONS; reader++) {
            try (var content = files.open("large.bin").orElseThrow()) {
                assertThat(content.readNBytes(10)).hasSize(10);
            }
            try (var content = files.open("large.bin", 5, 10).orElseThrow()) {
                assertThat(content.readNBytes(10)).hasSize(10);
            }
            files.open("large.bin").orElseThrow().close();
            files.open("large.bin", 5, 0).orElseThrow().close();
            files.open("large.bin", LARGE, 5).orElseThrow().close();
            assertThat(files.open("none.bin")).isEmpty();
        }
    }

    @Test
    @Timeout(10)
    void nothingIsWaitedForWhenAStreamIsClosed() throws IOException {
        files.create("large.bin", large(), "application/octet-stream");
        server.failNext(Fault.FALLS_SILENT, 1);

        try (var content = files.open("large.bin").orElseThrow()) {
            assertThat(content.readNBytes(10)).hasSize(10);
        }
    }

    @Test
    void aConnectionThatEndsIsNotTakenForTheEndOfAFile() throws IOException {
        files.create("a.csv", file("0123456789"), CSV);

        for (var length : new long[] {Long.MAX_VALUE, 5}) {
            server.failNext(Fault.IS_CUT_OFF, 1);
            try (var content = files.open("a.csv", 0, length).orElseThrow()) {
                assertThatIOException().isThrownBy(content::readAllBytes);
            }
        }
    }

    @Test
    void whatIsDamagedOnItsWayIsNotTakenForTheFile() throws IOException {
        files.create("a.csv", file("0123456789"), CSV);

        for (var length : new long[] {Long.MAX_VALUE, 5}) {
            server.failNext(Fault.IS_DAMAGED, 1);
            try (var content = files.open("a.csv", 0, length).orElseThrow()) {
                assertThatThrownBy(content::readAllBytes).isInstanceOf(RetryableException.class);
            }
        }
    }

    private S3Client client(int connections) {
        return S3ReportFiles.prepare(S3Client.builder())
                .endpointOverride(server.endpoint())
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .httpClientBuilder(ApacheHttpClient.builder().maxConnections(connections))
                .build();
    }

    private Path file(String content) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "file", null), content);
    }

    private Path large() throws IOException {
        var bytes = new byte[LARGE];
        new Random(7).nextBytes(bytes);
        return Files.write(Files.createTempFile(folder, "large", null), bytes);
    }

    private static String text(Optional<InputStream> file) throws IOException {
        try (var content = file.orElseThrow()) {
            return new String(content.readAllBytes(), UTF_8);
        }
    }
}
