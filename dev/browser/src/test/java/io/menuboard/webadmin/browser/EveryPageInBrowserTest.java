package io.menuboard.webadmin.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.menuboard.webadmin.pages.ChangeSample;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.SamplePages;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Visits every page once, and looks at it on a phone and at a desk, by day and by night, with eyes and by keyboard. */
class EveryPageInBrowserTest {
    static final List<String> PAGES = SamplePages.ADDRESSES;

    /** The first of all pages with the same path, whose controls the others have too. */
    private static final Set<String> PATHS = paths();

    @RegisterExtension
    static final Visitors VISITORS = new Visitors();

    private static Set<String> paths() {
        var seen = new HashSet<String>();
        return PAGES.stream().filter(page -> seen.add(page.split("\\?", 2)[0])).collect(Collectors.toUnmodifiableSet());
    }

    @ParameterizedTest
    @FieldSource("PAGES")
    void isFitForEverybody(String address) {
        var page = VISITORS.openInSameTab(address, 320);

        assertThat(page.evaluate(LAYOUT_SHIFT))
                .as("layout shifts of %s", address)
                .isEqualTo("");
        assertFitsNarrowScreens(page);
        assertThat(VISITORS.complaints())
                .filteredOn(complaint -> !complaint.contains("status of 40"))
                .isEmpty();
        page.setViewportSize(1280, 800);
        assertAxeHasNoObjections(page);
        if (PATHS.contains(address)) {
            assertTheKeyboardReachesEveryControl(page);
        }
    }

    /** A list, a chart, a calendar, the outcome of an action, an empty page and an error. */
    static List<String> kinds() {
        return List.of(
                "/stores?first=16",
                "/products/COFFEE",
                "/changes/calendar?month=" + ChangeSample.shared().month(),
                "?did=apply",
                "/1999-12",
                "/stores/nowhere");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void isPaintedOnceItIsWhole(String end) {
        var address = PagesServer.shared()
                .address(PAGES.stream()
                        .filter(page -> page.endsWith(end))
                        .findFirst()
                        .orElseThrow());
        try (var network = new SlowNetwork(address)) {
            var page = VISITORS.open(
                    network.address(address).toString(), Visitors.options().setViewportSize(320, 800));

            assertThat(page.evaluate(LAYOUT_SHIFT))
                    .as("layout shifts of %s", address)
                    .isEqualTo("");
            assertThat(page.evaluate(PAINTED_BEFORE_WHOLE, (int) SlowNetwork.PAUSE.toMillis()))
                    .as("%s", address)
                    .isEqualTo(false);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            querySelector("main").style.width = "2000px"        | width of the page
            querySelector("label[for=search]").remove()         | [what axe objects to]
            querySelector("h1").style.color = "#222"            | [what axe objects to in the dark]
            querySelector("tbody a").tabIndex = -1              | reached by the tab key
            querySelector("tbody a").style.outline = "none"     | reached by the tab key
            """)
    void noticesWhatIsPlanted(String fault, String complaint) {
        var page = VISITORS.open("/stores?first=1");
        page.evaluate("document." + fault);

        assertThatThrownBy(() -> {
                    assertFitsNarrowScreens(page);
                    page.setViewportSize(1280, 800);
                    assertAxeHasNoObjections(page);
                    assertTheKeyboardReachesEveryControl(page);
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(complaint);
    }

    private static void assertFitsNarrowScreens(Page page) {
        for (var width : List.of(320, 390, 768)) {
            page.setViewportSize(width, 800);
            assertThat(page.evaluate("document.documentElement.scrollWidth"))
                    .as("width of the page")
                    .isEqualTo(width);
        }
    }

    private static void assertAxeHasNoObjections(Page page) {
        page.evaluate(AxeBuilder.getAxeScript());

        assertThat(page.evaluate(OBJECTIONS, Map.of("type", "tag", "values", AXE_TAGS)))
                .as("what axe objects to")
                .isEqualTo("[]");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        assertThat(page.evaluate(OBJECTIONS, Map.of("type", "rule", "values", CONTRAST_RULES)))
                .as("what axe objects to in the dark")
                .isEqualTo("[]");
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    }

    /** Each one once, in the order of the page, where the outline shows it. */
    private static void assertTheKeyboardReachesEveryControl(Page page) {
        page.evaluate(STOP_REFRESHING);
        var controls = (int) page.evaluate(NUMBER_CONTROLS);
        var expected = IntStream.range(0, controls)
                .mapToObj(number -> number + " visible")
                .collect(Collectors.toCollection(LinkedHashSet::new));

        var reached = List.<String>of();
        for (var left = controls + OTHER_STOPS; left > 0 && !expected.isEmpty(); ) {
            var presses = Math.min(left, expected.size());
            left -= presses;
            for (; presses > 0; presses--) {
                page.keyboard().press("Tab");
            }
            reached = List.of(Objects.toString(page.evaluate("reached.join()")).split(",", -1));
            reached.forEach(expected::remove);
        }

        assertThat(reached.getFirst()).isEqualTo("0 visible");
        assertThat(expected)
                .as("controls that are not reached by the tab key, or do not show it")
                .isEmpty();
    }

    /** What moved, where that was a thousandth or more. */
    private static final String LAYOUT_SHIFT = """
            new Promise(resolve => {
              const shifts = [];
              new PerformanceObserver(list => shifts.push(...list.getEntries()))
                .observe({type: "layout-shift", buffered: true});
              const parsed = performance.getEntriesByType("navigation")[0].domContentLoadedEventStart;
              const moved = shift => `${shift.value} at ${shift.startTime} ms, parsed at ${parsed} ms: `
                + shift.sources.map(source => `${JSON.stringify([source.previousRect, source.currentRect])} `
                  + (source.node?.outerHTML ?? source.node?.textContent)).join(", ");
              requestAnimationFrame(() => requestAnimationFrame(() =>
                resolve(shifts.reduce((sum, shift) => sum + shift.value, 0) < 0.0005 ? "" : shifts.map(moved).join("\\n"))));
            })""";

    /** Earlier than a pause before the last piece was there: the end of it may be painted before it is known to be the end. */
    private static final String PAINTED_BEFORE_WHOLE = """
            pause => new Promise(resolve => new PerformanceObserver(list => resolve(
                list.getEntries()[0].startTime < performance.getEntriesByType("navigation")[0].responseEnd - pause))
              .observe({type: "paint", buffered: true}))""";

    private static final List<String> AXE_TAGS =
            List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice");

    private static final List<String> CONTRAST_RULES = List.of("color-contrast", "link-in-text-block");

    private static final String OBJECTIONS = """
            rules => axe.run(document, {runOnly: rules, resultTypes: ["violations"]})
              .then(results => JSON.stringify(results.violations))""";

    /** How many more times the tab key may stop: in the parts of date-time fields, at summaries and scrolling regions. */
    private static final int OTHER_STOPS = 20;

    /** A page that refreshes itself would lose the numbers, also where its request is under way, or has just settled. */
    private static final String STOP_REFRESHING = """
            new Promise(resolve => {
              document.addEventListener("htmx:beforeSwap", event => event.detail.shouldSwap = false);
              setTimeout(resolve, 2 * htmx.config.defaultSettleDelay);
            })""";

    /**
     * Notes in {@code reached} the number of each control that gets the focus, and whether its outline shows. Of a group of
     * radio buttons the tab key reaches the chosen one, and the arrow keys the others.
     */
    private static final String NUMBER_CONTROLS = """
            (() => {
              const controls = [...document.querySelectorAll("a[href], button, input, select, textarea")]
                .filter(control => control.checkVisibility() && (control.type !== "radio" || control.checked));
              controls.forEach((control, number) => control.dataset.number = number);
              window.reached = [];
              document.addEventListener("focusin", ({target}) => {
                const box = target.getBoundingClientRect();
                const visible = getComputedStyle(target).outlineStyle !== "none" && box.width > 0 && box.right > 0;
                window.reached.push(target.dataset.number + (visible ? " visible" : " invisible"));
              });
              return controls.length;
            })()""";
}
