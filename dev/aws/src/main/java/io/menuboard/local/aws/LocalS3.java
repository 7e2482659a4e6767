package io.menuboard.local.aws;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * S3 in this process, reachable from this machine only, as its API reference (2006-03-01) has the calls that the
 * application makes: PutObject, always or where there is no object yet, GetObject, also of a range, and DeleteObject. An object
 * is seen whole or not at all, by everybody from the moment on at which its writer is told; of many who create one, one
 * succeeds. Checksums are verified, and signatures of presigned requests, but of no others. Objects are files in a folder, because
 * ledgers are large.
 *
 * <p>S3Mock 4.11 let up to 23 of 32 who created the same object succeed, and S3Proxy 3.0 comes with another Jetty than
 * DynamoDB Local, so neither can stand in.
 */
public final class LocalS3 implements AutoCloseable {
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{2,62}");

    /** In bytes, as of S3. */
    private static final int MAX_KEY = 1024;

    /** Of a file, less than what file systems take, which is 255. */
    private static final int MAX_NAME = 240;

    private static final int BUFFER = 1 << 16;

    /** Of all clients of stand-ins. */
    private static final String SECRET_KEY =
            LocalDynamoDb.CREDENTIALS.resolveCredentials().secretAccessKey();

    private final Path folder;
    private final Path uploads;
    private final boolean temporary;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();

    private LocalS3(Path folder, boolean temporary) throws IOException {
        this.folder = folder;
        this.temporary = temporary;
        uploads = folder.resolve(".uploads");
        delete(uploads);
        Files.createDirectories(uploads);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Starts one without buckets, or with those of its folder.
     *
     * @param folder that keeps the objects, and is created if need be; null for one that is gone with this
     */
    public static LocalS3 start(@Nullable Path folder) {
        try {
            return folder == null
                    ? new LocalS3(Files.createTempDirectory("local-s3"), true)
                    : new LocalS3(Files.createDirectories(folder), false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fault of a request. */
    public enum Fault {
        /** An internal error, and nothing is done; the SDK repeats a request three times. */
        FAILS,
        /** It is done, and the connection ends without an answer. */
        ANSWER_IS_LOST,
        /** Another request for the same object is in progress, and nothing is done. */
        CONFLICTS,
        /** Some of what is read changes on its way. */
        IS_DAMAGED,
        /** Half of what is read is sent, and then the connection ends. */
        IS_CUT_OFF,
        /** Half of what is read is sent, and then nothing more. */
        FALLS_SILENT
    }

    public URI endpoint() {
        var address = server.getAddress();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Creates a bucket, unless there is one of that name. */
    public void createBucket(String name) {
        try {
            Files.createDirectories(bucket(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes that of the next requests, after those that are to go wrong already. */
    public void failNext(Fault fault, int requests) {
        faults.addAll(Collections.nCopies(requests, fault));
    }

    @Override
    public void close() {
        stopping.countDown();
        server.stop(0);
        threads.close();
        if (temporary) {
            try {
                delete(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var all = Files.walk(folder)) {
                for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("x-amz-request-id", UUID.randomUUID().toString());
        try (exchange) {
            try {
                serve(exchange, faults.poll());
            } catch (S3Refusal e) {
                exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
                var error = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>" + e.code + "</Code><Message>"
                        + e.getMessage() + "</Message></Error>";
                exchange.getResponseHeaders().set("Content-Type", "application/xml");
                send(exchange, e.status, error.getBytes(UTF_8));
            }
        }
    }

    private void serve(HttpExchange exchange, @Nullable Fault fault) throws IOException {
        if (fault == Fault.FAILS) {
            throw new S3Refusal(500, "InternalError", "We encountered an internal error. Please try again.");
        }
        if (fault == Fault.CONFLICTS) {
            throw new S3Refusal(409, "ConditionalRequestConflict", "A conflicting operation is in progress.");
        }
        var path = exchange.getRequestURI().getRawPath().split("/", 3);
        var query = exchange.getRequestURI().getRawQuery();
        if (path.length < 3 || path[2].isEmpty() || (query != null && !S3Presigned.isQuery(query))) {
            throw S3Refusal.notImplemented("Only objects can be put, got and deleted here.");
        }
        if (query != null) {
            S3Presigned.verify(exchange, SECRET_KEY, Clock.systemUTC().instant());
        }
        var object = object(path[1], URLDecoder.decode(path[2].replace("+", "%2B"), UTF_8));
        switch (exchange.getRequestMethod()) {
            case "PUT" -> put(exchange, object, fault);
            case "GET" -> {
                if (fault != Fault.ANSWER_IS_LOST) {
                    get(exchange, object, fault);
                }
            }
            case "DELETE" -> {
                if (exchange.getRequestHeaders().containsKey("If-Match")) {
                    throw S3Refusal.notImplemented("Objects are deleted whatever they are.");
                }
                Files.deleteIfExists(object);
                exchange.sendResponseHeaders(204, -1);
            }
            default -> throw S3Refusal.notImplemented("There is no " + exchange.getRequestMethod() + " here.");
        }
    }

    private Path object(String bucketName, String key) {
        var bucket = bucket(bucketName);
        if (!Files.exists(bucket)) {
            throw new S3Refusal(404, "NoSuchBucket", "The specified bucket does not exist.");
        }
        var bytes = key.getBytes(UTF_8);
        if (bytes.length > MAX_KEY) {
            throw new S3Refusal(400, "KeyTooLongError", "Your key is too long.");
        }
        var name = URLEncoder.encode(key, UTF_8);
        var shortName = name.length() > MAX_NAME
                ? HexFormat.of().formatHex(digest("SHA-256").digest(bytes))
                : name;
        return bucket.resolve(shortName + ".object");
    }

    private Path bucket(String name) {
        if (!BUCKET.matcher(name).matches()) {
            throw new S3Refusal(400, "InvalidBucketName", "The specified bucket is not valid.");
        }
        return folder.resolve(name);
    }

    // An object's file is a line with ETag and media type, and then its content: what is moved at once is seen at once.

    private void put(HttpExchange exchange, Path object, @Nullable Fault fault) throws IOException {
        var headers = exchange.getRequestHeaders();
        var condition = headers.getFirst("If-None-Match");
        if ((condition != null && !condition.equals("*")) || headers.containsKey("If-Match")) {
            throw S3Refusal.notImplemented("A header you provided implies functionality that is not implemented.");
        }
        var eTag = "\"" + UUID.randomUUID() + "\"";
        var mediaType = headers.getFirst("Content-Type");
        var upload = Files.createTempFile(uploads, "put", null);
        try {
            try (var out = new BufferedOutputStream(Files.newOutputStream(upload), BUFFER)) {
                out.write((eTag + " " + (mediaType == null ? "application/octet-stream" : mediaType) + "\n")
                        .getBytes(ISO_8859_1));
                S3Upload.receive(headers, new BufferedInputStream(exchange.getRequestBody(), BUFFER), out);
            }
            publish(upload, object, condition != null);
        } finally {
            Files.deleteIfExists(upload);
        }
        if (fault != Fault.ANSWER_IS_LOST) {
            exchange.getResponseHeaders().set("ETag", eTag);
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private synchronized void publish(Path upload, Path object, boolean onlyNew) throws IOException {
        if (onlyNew && Files.exists(object)) {
            throw new S3Refusal(
                    412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold");
        }
        Files.move(upload, object, StandardCopyOption.ATOMIC_MOVE);
    }

    private void get(HttpExchange exchange, Path object, @Nullable Fault fault) throws IOException {
        if (!Files.exists(object)) {
            throw new S3Refusal(404, "NoSuchKey", "The specified key does not exist.");
        }
        try (var file = new RandomAccessFile(object.toFile(), "r")) {
            var about = file.readLine().split(" ", 2);
            var start = file.getFilePointer();
            var size = file.length() - start;
            var range = S3Range.of(exchange.getRequestHeaders().getFirst("Range"), size);
            var headers = exchange.getResponseHeaders();
            headers.set("Accept-Ranges", "bytes");
            headers.set("ETag", about[0]);
            headers.set("Content-Type", about[1]);
            if (range.partial()) {
                headers.set("Content-Range", "bytes " + range.first() + "-" + range.last() + "/" + size);
            }
            file.seek(start + range.first());
            send(exchange, range, file, fault);
        }
    }

    private void send(HttpExchange exchange, S3Range range, RandomAccessFile file, @Nullable Fault fault)
            throws IOException {
        // What the SDK asks for, and S3 gives, though the API reference does not say so.
        var digested = "append-md5".equals(exchange.getRequestHeaders().getFirst("x-amz-te"));
        if (digested) {
            exchange.getResponseHeaders().set("x-amz-transfer-encoding", "append-md5");
        }
        var digest = digest("MD5");
        var length = range.length() + (digested ? digest.getDigestLength() : 0);
        exchange.sendResponseHeaders(range.partial() ? 206 : 200, length == 0 ? -1 : length);
        var out = exchange.getResponseBody();
        var half = range.length() / 2;
        copy(file, half, digest, out, fault);
        if (fault == Fault.FALLS_SILENT || fault == Fault.IS_CUT_OFF) {
            out.flush();
            if (fault == Fault.FALLS_SILENT) {
                awaitStop();
            }
            return;
        }
        copy(file, range.length() - half, digest, out, fault);
        if (digested) {
            out.write(digest.digest());
        }
    }

    private static void copy(
            RandomAccessFile file, long length, MessageDigest digest, OutputStream out, @Nullable Fault fault)
            throws IOException {
        var buffer = new byte[BUFFER];
        for (var left = length; left > 0; ) {
            var read = file.read(buffer, 0, (int) Math.min(left, BUFFER));
            digest.update(buffer, 0, read);
            if (fault == Fault.IS_DAMAGED) {
                buffer[0] ^= 1;
            }
            out.write(buffer, 0, read);
            left -= read;
        }
    }

    private void awaitStop() {
        try {
            stopping.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
