package io.menuboard.webadmin.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.access.Access;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.pricing.imports.Imports;
import io.menuboard.webadmin.pages.PagesServer;
import io.menuboard.webadmin.pages.PagesServer.Answer;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How big an upload may be, how long it may take, and how many run at once. */
class ImportLimitsTest {
    private static final Access STAFF = Access.ofCommandLine("test");
    private static final int MAX_FILE = 4096;
    private static final String STORE = "id,name,timeZone,currency\nB1,Berlin,Europe/Berlin,EUR\n";

    @SuppressWarnings("NullAway.Init") // by start
    private PagesServer server;

    @AfterEach
    void stop() {
        server.stop();
    }

    @ParameterizedTest
    @CsvSource({"4096, 303", "4097, 413"})
    void aFileMayBeAsBigAsTheLimit(int bytes, int status) {
        start(Map.of("micronaut.server.multipart.max-file-size", MAX_FILE));

        var answer = upload(STORE + "\n".repeat(bytes - STORE.length()));

        assertThat(answer.status()).isEqualTo(status);
        if (status == 413) {
            assertThat(answer.html().select("h1").text()).isEqualTo("That is too big");
        }
    }

    @Test
    void oneMoreThanMayRunAtOnceIsRefused() {
        start(Map.of("menuboard.admin.imports-at-once", 0));

        var answer = upload(STORE);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("30");
        assertThat(answer.html().select("h1").text()).isEqualTo("Too many uploads at once");
        assertThat(answer.html().select("main").text())
                .contains("Nothing of this one was stored", "To send it again, reload this page.");
        assertThat(answer.html().select("main a")).as("none to an empty form").isEmpty();
        assertThat(server.get("/imports").html().select("tbody tr")).isEmpty();
    }

    @Test
    void anImportThatIsDoneMakesRoomForTheNext() {
        start(Map.of("menuboard.admin.imports-at-once", 1));

        for (var i = 0; i < 3; i++) {
            await().untilAsserted(() -> assertThat(upload(STORE).status()).isEqualTo(303));
        }
    }

    @ParameterizedTest
    @CsvSource({"/imports, prices", "/changes/new/csv, file"})
    void anUploadTakesLongerThanAPageMay(String page, String field) {
        start(Map.of("menuboard.admin.deadline", "0s"));
        assertThat(server.get("/imports").status()).isEqualTo(503);

        var answer = server.upload(page, Map.of("name", "n", "reason", "r", "when", "now"), field, "store\n");

        assertThat(answer.status()).isEqualTo(303);
        var id = new ImportId(answer.header("Location").replaceFirst(".*/", ""));
        var imports = server.bean(Imports.class);
        await().until(() -> !imports.find(STAFF, id).orElseThrow().state().isOpen());
    }

    private void start(Map<String, Object> limits) {
        server = PagesServer.start("limits-" + UUID.randomUUID(), limits);
    }

    private Answer upload(String stores) {
        return server.upload("/imports", Map.of(), "stores", stores);
    }
}
