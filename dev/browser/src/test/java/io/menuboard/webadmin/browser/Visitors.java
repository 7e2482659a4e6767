package io.menuboard.webadmin.browser;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import io.menuboard.webadmin.pages.PagesServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Visitors with Debian's browser, one process for all tests of a class. Where it is missing, the tests that need it are
 * skipped, or fail if the system property {@code menuboard.browser.required} is true, which continuous integration sets.
 */
final class Visitors implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    /** The shell without a browser's own windows takes half of the time, the whole browser does as well. */
    private static final List<Path> EXECUTABLES =
            List.of(Path.of("/usr/bin/chromium-headless-shell"), Path.of("/usr/bin/chromium"));

    private static final List<String> ARGUMENTS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    /** Longest that anything may take, also on a machine that does much else. */
    private static final double PATIENCE_MILLIS = 60_000;

    private final List<BrowserContext> visitors = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private @Nullable Playwright playwright;
    private @Nullable Browser browser;
    private @Nullable Page tab;

    @Override
    public void beforeAll(ExtensionContext context) {
        var executable = EXECUTABLES.stream().filter(Files::isExecutable).findFirst();
        if (executable.isEmpty()) {
            var missing = "No " + EXECUTABLES
                    + "; apt-get install chromium-headless-shell, so that pages are tested in a browser";
            if (Boolean.getBoolean("menuboard.browser.required")) {
                fail(missing);
            }
            assumeTrue(false, missing);
        }
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
        playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        browser = playwright
                .chromium()
                .launch(new LaunchOptions()
                        .setExecutablePath(executable.orElseThrow())
                        .setArgs(ARGUMENTS));
    }

    /** At a desk. */
    static Browser.NewContextOptions options() {
        return new Browser.NewContextOptions()
                .setLocale("en-US")
                .setReducedMotion(ReducedMotion.REDUCE)
                .setViewportSize(1280, 800);
    }

    /** As {@link #open(String, Browser.NewContextOptions)}, at a desk. */
    Page open(String address) {
        return open(address, options());
    }

    /** Opens a page, of {@link PagesServer#shared()} by default, as a new visitor without history and without cookies. */
    Page open(String address, Browser.NewContextOptions options) {
        var visitor = newContext(options);
        visitors.add(visitor);
        var page = newPage(visitor);
        page.navigate(address);
        return page;
    }

    /** Opens a page in the tab that is there since this was first called, as another visitor's takes a process more. */
    Page openInSameTab(String address, int width) {
        var page = tab;
        if (page == null || page.isClosed()) {
            page = newPage(newContext(options()));
            tab = page;
        }
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
        page.setViewportSize(width, 800);
        page.navigate(address);
        return page;
    }

    private BrowserContext newContext(Browser.NewContextOptions options) {
        var visitor = Objects.requireNonNull(browser)
                .newContext(options.setBaseURL(PagesServer.shared().address("/").toString()));
        visitor.setDefaultTimeout(PATIENCE_MILLIS);
        return visitor;
    }

    private Page newPage(BrowserContext visitor) {
        var page = visitor.newPage();
        page.onConsoleMessage(this::note);
        page.onPageError(complaints::add);
        return page;
    }

    private void note(ConsoleMessage message) {
        if (message.type().equals("error") || message.type().equals("warning")) {
            complaints.add(message.text());
        }
    }

    /** Errors and warnings of the browser since the test began. */
    List<String> complaints() {
        return complaints;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        visitors.forEach(BrowserContext::close);
        visitors.clear();
        complaints.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (playwright != null) {
            playwright.close();
        }
    }
}
