package io.menuboard.webadmin.accounts;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map.Entry;

/** Names of browsers and systems in what browsers say of themselves, for people to know their own again; no proof. */
final class Browser {
    /** Browsers that pretend to be others before those others. */
    private static final List<Entry<String, String>> BROWSERS = List.of(
            entry("Edg", "Edge"),
            entry("OPR/", "Opera"),
            entry("Firefox/", "Firefox"),
            entry("FxiOS/", "Firefox"),
            entry("Chrome/", "Chrome"),
            entry("CriOS/", "Chrome"),
            entry("Safari/", "Safari"));

    private static final List<Entry<String, String>> SYSTEMS = List.of(
            entry("Windows", "Windows"),
            entry("Android", "Android"),
            entry("iPhone", "iPhone"),
            entry("iPad", "iPad"),
            entry("Mac OS X", "macOS"),
            entry("CrOS", "ChromeOS"),
            entry("Linux", "Linux"));

    private Browser() {}

    /** {@code Firefox on Linux}; the text itself where it names no browser that is known. */
    static String name(String userAgent) {
        if (userAgent.isBlank()) {
            return "Unknown";
        }
        var browser = find(BROWSERS, userAgent);
        var system = find(SYSTEMS, userAgent);
        if (browser.isEmpty()) {
            return userAgent;
        }
        return system.isEmpty() ? browser : browser + " on " + system;
    }

    private static String find(List<Entry<String, String>> names, String userAgent) {
        return names.stream()
                .filter(name -> userAgent.contains(name.getKey()))
                .map(Entry::getValue)
                .findFirst()
                .orElse("");
    }
}
