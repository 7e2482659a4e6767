package io.menuboard.webadmin.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;

class LinkTest {

    @Test
    void keepsEverySegmentAndParameterWhatItIs() {
        var link = Link.to("stores", "A/B?c=d&e 100%")
                .with("at", "2026-03-01T06:00")
                .with("search", "Kızılay + 1");

        assertThat(link)
                .hasToString(
                        "/stores/A%2FB%3Fc%3Dd%26e%20100%25?at=2026-03-01T06%3A00&search=K%C4%B1z%C4%B1lay%20%2B%201");
        assertThat(URI.create(link.toString()).getQuery()).isEqualTo("at=2026-03-01T06:00&search=Kızılay + 1");
    }

    @Test
    void leavesOutWhatIsEmpty() {
        assertThat(Link.to("stores").with("search", "").with("after", null)).hasToString("/stores");
    }

    @Test
    void isNotChangedByWhatIsMadeOfIt() {
        var stores = Link.to("stores");

        assertThat(stores.with("search", "x")).hasToString("/stores?search=x");
        assertThat(stores).hasToString("/stores");
    }
}
