package io.menuboard.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** The stand-in answers the real client as the API reference says. */
@Timeout(60)
class LocalS3Test {
    private static final String BUCKET = "bucket";

    private final Path folder;
    private final LocalS3 server = LocalS3.start(null);
    private final S3Client client = client(server);

    LocalS3Test(@TempDir Path folder) {
        this.folder = folder;
        server.createBucket(BUCKET);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void anAnswerSaysWhatIsInIt() throws IOException {
        var put = client.putObject(
                request -> request.bucket(BUCKET).key("a").contentType("text/csv"),
                RequestBody.fromString("0123456789"));

        try (var got =
                client.getObject(request -> request.bucket(BUCKET).key("a").range("bytes=3-20"))) {
            var response = got.response();
            assertThat(response.contentRange()).isEqualTo("bytes 3-9/10");
            assertThat(response.contentLength()).isEqualTo(7);
            assertThat(response.contentType()).isEqualTo("text/csv");
            assertThat(response.eTag()).isEqualTo(put.eTag()).startsWith("\"").endsWith("\"");
            assertThat(response.sdkHttpResponse().statusCode()).isEqualTo(206);
            assertThat(response.sdkHttpResponse().firstMatchingHeader("x-amz-request-id"))
                    .isPresent();
            assertThat(got).hasContent("3456789");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=5-4", "bytes=x", "lines=1-2", "bytes=1-2,4-5"})
    void whatIsNoRangeIsIgnored(String range) throws IOException {
        client.putObject(request -> request.bucket(BUCKET).key("a"), RequestBody.fromString("0123456789"));

        try (var got =
                client.getObject(request -> request.bucket(BUCKET).key("a").range(range))) {
            assertThat(got.response().sdkHttpResponse().statusCode()).isEqualTo(200);
            assertThat(got.response().contentRange()).isNull();
            assertThat(got).hasContent("0123456789");
        }
    }

    @Test
    void aRangeBehindTheEndIsRefused() {
        client.putObject(request -> request.bucket(BUCKET).key("a"), RequestBody.fromString("0123456789"));

        assertRefused(
                416,
                "InvalidRange",
                () -> client.getObject(
                        request -> request.bucket(BUCKET).key("a").range("bytes=10-")));
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThatThrownBy(
                        () -> client.getObject(request -> request.bucket(BUCKET).key("a")))
                .isInstanceOf(NoSuchKeyException.class)
                .hasMessageContaining("The specified key does not exist.");
        assertRefused(
                404,
                "NoSuchBucket",
                () -> client.putObject(request -> request.bucket("none").key("a"), RequestBody.fromString("1")));
    }

    @Test
    void keysHave1024Bytes() {
        var long1 = "ß".repeat(511) + "a1";
        var long2 = "ß".repeat(511) + "a2";
        for (var key : List.of(long1, long2)) {
            client.putObject(request -> request.bucket(BUCKET).key(key), RequestBody.fromString(key));
        }

        for (var key : List.of(long1, long2)) {
            assertThat(client.getObject(request -> request.bucket(BUCKET).key(key)))
                    .hasContent(key);
        }
        assertRefused(
                400,
                "KeyTooLongError",
                () -> client.getObject(request -> request.bucket(BUCKET).key(long1 + "2")));
    }

    @Test
    void whatItDoesNotDoIsRefusedInsteadOfIgnored() {
        var body = RequestBody.fromString("1");

        assertRefused(
                501,
                "NotImplemented",
                () -> client.putObject(
                        request -> request.bucket(BUCKET).key("a").ifNoneMatch("\"1\""), body));
        assertRefused(
                501,
                "NotImplemented",
                () -> client.putObject(
                        request -> request.bucket(BUCKET).key("a").ifMatch("\"1\""), body));
        assertRefused(
                501,
                "NotImplemented",
                () -> client.deleteObject(
                        request -> request.bucket(BUCKET).key("a").ifMatch("\"1\"")));
        assertRefused(501, "NotImplemented", () -> client.listObjectsV2(request -> request.bucket(BUCKET)));
    }

    @Test
    void aChecksumThatDoesNotMatchIsRefused() {
        assertRefused(
                400,
                "BadDigest",
                () -> client.putObject(
                        request -> request.bucket(BUCKET).key("a").checksumCRC32("AAAAAA=="),
                        RequestBody.fromString("1")));
        assertThatThrownBy(
                        () -> client.getObject(request -> request.bucket(BUCKET).key("a")))
                .isInstanceOf(NoSuchKeyException.class);
    }

    // The CRC32 of 123456789 is cbf43926.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            9 | 4;s=1~1234~5;s=2~56789~0;s=3~x-amz-checksum-crc32:y/Q5Jg==~~ | 200 | ETag
            9 | 9~123456789~0~~                                              | 200 | ETag
            9 | 9~123456788~0~x-amz-checksum-crc32:y/Q5Jg==~~                | 400 | BadDigest
            8 | 9~123456789~0~x-amz-checksum-crc32:y/Q5Jg==~~                | 400 | IncompleteBody
            9 | 9~123456789~0~x-amz-checksum-crc32:y/Q5Jg==                  | 400 | IncompleteBody
            9 | 9~12345                                                      | 400 | IncompleteBody
            9 | 8~123456789~0~~                                              | 400 | IncompleteBody
            9 | 9~123456789                                                  | 400 | IncompleteBody
            9 | 123456789                                                    | 400 | IncompleteBody
            """)
    void chunksAreTakenApartAndVerified(String length, String body, int status, String says)
            throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var answer = http.send(
                    HttpRequest.newBuilder(server.endpoint().resolve("/" + BUCKET + "/a"))
                            .header("Content-Encoding", "aws-chunked")
                            .header("x-amz-decoded-content-length", length)
                            .header("x-amz-trailer", "x-amz-checksum-crc32")
                            .PUT(BodyPublishers.ofString(body.replace("~", "\r\n")))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.headers().map() + answer.body()).containsIgnoringCase(says);
            if (status == 200) {
                assertThat(client.getObjectAsBytes(
                                        request -> request.bucket(BUCKET).key("a"))
                                .asUtf8String())
                        .isEqualTo("123456789");
            }
        }
    }

    @Test
    void anObjectIsOldOrNewForReadersWhileItIsReplaced() {
        var size = 300_000;
        put("a", "0".repeat(size));
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            var writing = writers.submit(() -> {
                for (var round = 1; round < 40; round++) {
                    put("a", Integer.toString(round % 10).repeat(size - round));
                }
            });

            while (!writing.isDone()) {
                var read = client.getObjectAsBytes(
                                request -> request.bucket(BUCKET).key("a"))
                        .asUtf8String();
                assertThat(read.chars().distinct().count()).isEqualTo(1);
                assertThat(read.length() % 10).isEqualTo((size - Character.digit(read.charAt(0), 10)) % 10);
            }
        }
    }

    @Test
    void anUploadThatEndsEarlyIsNotSeen() throws IOException {
        var address = server.endpoint();
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.getOutputStream()
                    .write(("PUT /" + BUCKET + "/a HTTP/1.1\r\nHost: local\r\nContent-Encoding: aws-chunked\r\n"
                                    + "x-amz-decoded-content-length: 9\r\nContent-Length: 900\r\n\r\n9\r\n12345")
                            .getBytes(UTF_8));
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes()).asString().doesNotContain("200 OK");
        }

        assertThatThrownBy(
                        () -> client.getObject(request -> request.bucket(BUCKET).key("a")))
                .isInstanceOf(NoSuchKeyException.class);
    }

    @Test
    void objectsAreKeptInAFolderAndUploadsThatNeverEndedAreNot() throws IOException {
        try (var first = LocalS3.start(folder);
                var s3 = client(first)) {
            first.createBucket(BUCKET);
            s3.putObject(request -> request.bucket(BUCKET).key("a/b"), RequestBody.fromString("kept"));
        }
        var left = Files.writeString(folder.resolve(".uploads").resolve("left"), "half");

        try (var second = LocalS3.start(folder);
                var s3 = client(second)) {
            assertThat(s3.getObjectAsBytes(request -> request.bucket(BUCKET).key("a/b"))
                            .asUtf8String())
                    .isEqualTo("kept");
            assertThat(left).doesNotExist();
        }
    }

    @Test
    void whatIsDeletedIsGoneAndCanBeDeletedAgain() {
        put("a", "content");

        for (var often = 0; often < 2; often++) {
            client.deleteObject(request -> request.bucket(BUCKET).key("a"));
        }

        assertThatThrownBy(
                        () -> client.getObject(request -> request.bucket(BUCKET).key("a")))
                .isInstanceOf(NoSuchKeyException.class);
    }

    /** By whoever has the request, which is good for what was signed alone. */
    @ParameterizedTest
    @CsvSource({
        "'', PUT, 12345, 200",
        "'', PUT, 1234, 403",
        "'', PUT, 123456, 403",
        "'', DELETE, 12345, 403",
        "b, PUT, 12345, 403"
    })
    void aPresignedRequestIsVerified(String moreOfTheKey, String method, String content, int status)
            throws IOException, InterruptedException {
        try (var presigner = S3Presigner.builder()
                        .endpointOverride(server.endpoint())
                        .region(LocalDynamoDb.REGION)
                        .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                        .build();
                var http = HttpClient.newHttpClient()) {
            var url = presigner
                    .presignPutObject(presign -> presign.signatureDuration(Duration.ofMinutes(5))
                            .putObjectRequest(put -> put.bucket(BUCKET).key("a").contentLength(5L)))
                    .url()
                    .toString();
            var request = HttpRequest.newBuilder(URI.create(url.replaceFirst("/a\\?", "/a" + moreOfTheKey + "?")))
                    .method(method, BodyPublishers.ofString(content));

            assertThat(http.send(request.build(), BodyHandlers.ofString()).statusCode())
                    .isEqualTo(status);
        }
        if (status == 200) {
            assertThat(client.getObjectAsBytes(request -> request.bucket(BUCKET).key("a"))
                            .asUtf8String())
                    .isEqualTo(content);
        }
    }

    private void put(String key, String content) {
        client.putObject(request -> request.bucket(BUCKET).key(key), RequestBody.fromString(content));
    }

    private static void assertRefused(int status, String code, Runnable call) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(S3Exception.class, e -> {
            assertThat(e.statusCode()).isEqualTo(status);
            assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
        });
    }

    private static S3Client client(LocalS3 server) {
        return S3Client.builder()
                .endpointOverride(server.endpoint())
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .httpClientBuilder(ApacheHttpClient.builder())
                .build();
    }
}
