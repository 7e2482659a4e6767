package io.menuboard.webadmin.pages;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Debian's browser. Where it is missing, the tests that need it are skipped, or fail if the system property
 * {@code menuboard.browser.required} is true, which continuous integration sets.
 */
final class Chromium implements AutoCloseable {
    private static final Path EXECUTABLE = Path.of("/usr/bin/chromium");
    private static final List<String> ARGUMENTS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    /** Longest that anything may take, also where a page asks for news every few seconds. */
    private static final double PATIENCE_MILLIS = 15_000;

    private final Playwright playwright;
    private final Browser browser;

    private Chromium() {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new LaunchOptions().setExecutablePath(EXECUTABLE).setArgs(ARGUMENTS));
    }

    static Chromium start() {
        if (!Files.isExecutable(EXECUTABLE)) {
            var missing = EXECUTABLE + " is missing; apt-get install chromium, so that pages are tested in a browser";
            if (Boolean.getBoolean("menuboard.browser.required")) {
                fail(missing);
            }
            assumeTrue(false, missing);
        }
        return new Chromium();
    }

    /** A visitor of their own, without history and without cookies. */
    BrowserContext visitor(Browser.NewContextOptions options) {
        var visitor = browser.newContext(
                options.setBaseURL(PagesServer.shared().address("/").toString()));
        visitor.setDefaultTimeout(PATIENCE_MILLIS);
        return visitor;
    }

    @Override
    public void close() {
        playwright.close();
    }
}
