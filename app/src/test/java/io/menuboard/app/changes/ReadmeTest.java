package io.menuboard.app.changes;

import static io.menuboard.app.changes.ChangesServer.BERLIN;
import static io.menuboard.app.changes.ChangesServer.TOKYO;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.app.graphql.Readme;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The example of price changes in the README does what it says. */
class ReadmeTest {
    private static final String SECTION = "Change prices";

    /** What a shell would put there: the first match, in what was answered before, of a pattern that grep knows. */
    private static final Pattern FOUND = Pattern.compile("'\\$\\(echo \"\\$set\" \\| grep -o '([^']*)'\\)'");

    private static final Pattern QUERY = Pattern.compile("'query=([^']*)'");

    @Test
    void thePricesOfTheExampleAreChanged() {
        var bodies = Readme.bodies(SECTION);
        assertThat(bodies).hasSize(2);
        try (var server = ChangesServer.start(Map.of())) {
            server.price(BERLIN, "2.00", "HAMBURGER", "CHEESEBURGER");
            server.price(TOKYO, "300", "HAMBURGER", "CHEESEBURGER");

            var set = server.server().post(bodies.get(0)).join();
            var repeated = server.server().post(bodies.get(0)).join();
            var applied = server.server()
                    .post(FOUND.matcher(bodies.get(1)).replaceAll(found -> only(found.group(1), set.text())))
                    .join();
            var query = QUERY.matcher(Readme.section(SECTION));
            assertThat(query.find()).isTrue();
            var now = server.data(query.group(1));

            assertThat(set.data().at("/previewChangeSet/changeSet/summary"))
                    .hasToString("{\"willChange\":4,\"suspicious\":0}");
            assertThat(repeated.text()).isEqualTo(set.text());
            assertThat(applied.data().at("/applyChangeSet/changeSet/status").asText())
                    .isEqualTo("APPLIED");
            assertThat(now.at("/price/price/amount").asText()).isEqualTo("2.10");
            assertThat(now.at("/priceHistory/nodes/0/before/amount").asText()).isEqualTo("2.00");
            assertThat(now.at("/priceHistory/nodes/0/reason").asText()).isEqualTo("costs rose");
        }
    }

    /** The only part of the text that matches a basic regular expression of POSIX. */
    private static String only(String expression, String text) {
        var matches = Pattern.compile(expression.replace("\\{", "{").replace("\\}", "}"))
                .matcher(text)
                .results()
                .map(found -> found.group())
                .toList();
        assertThat(matches).hasSize(1);
        return matches.getFirst();
    }
}
