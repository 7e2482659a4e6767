package io.menuboard.webadmin.ui;

import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** A file that is there already, sent as it is read. */
public final class FileDownload {
    private FileDownload() {}

    /**
     * An answer that the browser saves as {@code fileName}, with all its characters where the browser can (RFC 6266,
     * section 4.3).
     *
     * @param content closed once it is sent
     */
    public static HttpResponse<InputStream> of(String fileName, String mediaType, InputStream content) {
        return HttpResponse.<InputStream>ok(content)
                .header(HttpHeaders.CONTENT_TYPE, mediaType)
                .header(HttpHeaders.CONTENT_DISPOSITION, disposition(fileName))
                .header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    /** Content-Disposition of such an answer. */
    public static String disposition(String fileName) {
        var safe = fileName.replaceAll("[/\\\\]", "_");
        var encoded = URLEncoder.encode(safe, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
        return "attachment; filename=\"" + CsvDownload.plain(safe) + "\"; filename*=UTF-8''" + encoded;
    }
}
