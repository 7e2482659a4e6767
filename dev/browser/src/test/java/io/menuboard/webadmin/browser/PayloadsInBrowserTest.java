package io.menuboard.webadmin.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.menuboard.webadmin.pages.MarkupPayloads;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PayloadsSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** No text that somebody gives becomes markup or runs, on any page that shows it or says it again. */
class PayloadsInBrowserTest {
    @RegisterExtension
    static final Visitors VISITORS = new Visitors();

    /** What is wrong with a document: an element or attribute of a payload, a script in the page, or that the text is not there. */
    private static final String FAULT = """
            (document, expected) => {
                if (document.querySelector('[%1$s], %1$s')) {
                    return 'has markup of a payload: ' + document.querySelector('[%1$s], %1$s').outerHTML.slice(0, 200);
                }
                if (document.querySelector('script:not([src]), base')) {
                    return 'has a script or base of its own';
                }
                const handler = [...document.querySelectorAll('*')].flatMap(element => [...element.attributes])
                    .find(attribute => /^(on|hx-on)/.test(attribute.name) || /^javascript:/i.test(attribute.value.trim()) && attribute.name === 'href');
                if (handler) {
                    return 'has ' + handler.name + '=' + handler.value;
                }
                const words = text => text.replace(/\\s+/g, ' ').trim();
                const values = [...document.querySelectorAll('input, textarea')].map(input => input.value).join(' ');
                return expected === null || words(document.documentElement.textContent + ' ' + values).includes(words(expected))
                    ? null : 'does not show ' + expected;
            }
            """.formatted(MarkupPayloads.MARK);

    @SuppressWarnings("NullAway.Init") // by JUnit
    private static PayloadsSample sample;

    @BeforeAll
    static void start() {
        sample = PayloadsSample.start();
    }

    @AfterAll
    static void stop() {
        sample.server().stop();
    }

    @Test
    void areAtLeastFiveHundred() {
        assertThat(MarkupPayloads.ALL).hasSizeGreaterThanOrEqualTo(500);
    }

    /** Runs what a page would run. */
    @Test
    void doNotRunInLists() {
        for (var address : sample.lists()) {
            var page = VISITORS.open(sample.server().address(address).toString());
            assertThat(page.evaluate("() => (" + FAULT + ")(document, null)"))
                    .as(address)
                    .isNull();
            assertThat(VISITORS.complaints()).as(address).isEmpty();
        }
    }

    @Test
    void areShownAsTheyAre() {
        assertThat(faults(sample.records())).isEmpty();
    }

    @Test
    void areSaidAgainAsTheyAre() {
        var pages = new LinkedHashMap<String, String>();
        for (var echo : PayloadsSample.ECHOES) {
            for (var payload : MarkupPayloads.joined(2_000)) {
                pages.put(echo + PagesServer.encoded(payload), "");
            }
        }

        assertThat(faults(pages)).isEmpty();
    }

    /** Parsed by the browser, and not run: that takes a tenth of the time. */
    private static List<String> faults(Map<String, String> pages) {
        var page = VISITORS.open(sample.server().address("/stores?first=16").toString());
        var found = new ArrayList<String>();
        var addresses = new ArrayList<>(pages.keySet());
        for (var from = 0; from < addresses.size(); from += 200) {
            var some = addresses.subList(from, Math.min(addresses.size(), from + 200)).stream()
                    .map(address -> List.of(address, pages.get(address)))
                    .toList();
            found.addAll(parsed(page, some));
        }
        return found;
    }

    @SuppressWarnings("unchecked") // a list of texts is what the script makes
    private static List<String> parsed(Page page, List<List<String>> pages) {
        return (List<String>) page.evaluate("""
                async pages => {
                    const fault = %s;
                    const faults = [];
                    for (const [address, expected] of pages) {
                        const answer = await fetch(address, {headers: {Accept: 'text/html'}});
                        const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html');
                        const found = answer.status >= 500 ? 'answered ' + answer.status : fault(parsed, expected);
                        if (found) {
                            faults.push(address + ' ' + found);
                        }
                    }
                    return faults;
                }
                """.formatted(FAULT), pages);
    }
}
