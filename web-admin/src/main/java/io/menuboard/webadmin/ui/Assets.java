package io.menuboard.webadmin.ui;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files that pages load. They come from the class path, once, and are served under an address that contains a hash
 * of the content, so that browsers may keep them for ever and still never show an old one.
 */
final class Assets {
    private static final Map<String, String> RESOURCES = Map.of(
            "logo.svg", "assets/logo.svg",
            "menuboard.css", "assets/menuboard.css",
            "menuboard.js", "assets/menuboard.js",
            "htmx.min.js", "META-INF/resources/webjars/htmx.org/2.0.10/dist/htmx.min.js",
            "htmx-sse.js", "META-INF/resources/webjars/htmx-ext-sse/2.2.2/sse.js");

    private final Map<String, Asset> assets = new TreeMap<>();

    /** Reads every asset; a missing one is an {@link IllegalStateException}. */
    Assets() {
        RESOURCES.forEach((name, resource) -> assets.put(name, load(name, resource)));
    }

    /** The address of every asset, by name. */
    Map<String, String> urls() {
        var urls = new TreeMap<String, String>();
        assets.forEach((name, asset) -> urls.put(name, "/assets/" + asset.version() + "/" + name));
        return urls;
    }

    Optional<Asset> find(String name) {
        return Optional.ofNullable(assets.get(name));
    }

    private static Asset load(String name, String resource) {
        try (var in = Assets.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("not on the class path: " + resource);
            }
            var content = in.readAllBytes();
            return new Asset(content, contentType(name), version(content));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String contentType(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "css" -> "text/css;charset=utf-8";
            case "js" -> "text/javascript;charset=utf-8";
            case "svg" -> "image/svg+xml";
            default -> throw new IllegalArgumentException("unknown kind of asset: " + name);
        };
    }

    private static String version(byte[] content) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** @param version changes when the content does */
    @SuppressWarnings("ArrayRecordComponent") // handed to the HTTP server as it is, never compared
    record Asset(byte[] content, String contentType, String version) {}
}
