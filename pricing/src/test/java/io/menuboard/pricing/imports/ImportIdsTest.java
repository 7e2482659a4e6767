package io.menuboard.pricing.imports;

import static io.menuboard.pricing.changes.ChangesFixture.limited;
import static io.menuboard.pricing.imports.ImportFixture.ACTOR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.access.Access;
import io.menuboard.access.Principal;
import io.menuboard.access.Role;
import io.menuboard.kernel.Actor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ids of what is asked for twice. */
class ImportIdsTest {
    private static final ImportFile FILE = file("p.csv", "a");

    @Test
    void theSameHasTheSameIdsThroughWhateverItIsAskedFor() throws IOException {
        var first = ids(ACTOR, "key", ImportAbout.FILE, FILE);
        var again = ids(ACTOR.through(Actor.Source.PAGE), "key", ImportAbout.FILE, file("p.csv", "a"));

        assertThat(again.importId()).isEqualTo(first.importId());
        assertThat(again.uploadId(ImportKind.PRICES)).isEqualTo(first.uploadId(ImportKind.PRICES));
        assertThat(again.next().importId()).isEqualTo(first.next().importId());
    }

    @Test
    void whateverDiffersHasOtherIds() throws IOException {
        var someone = limited("kim", Role.PRICING_EDITOR, "DE-0001");
        var namesake = new Access(
                new Principal(
                        "other", Actor.Kind.USER, "kim", someone.principal().grants()),
                Actor.Source.PAGE);
        var all = new ArrayList<>(List.of(
                ids(ACTOR, "key", ImportAbout.FILE, FILE),
                ids(someone, "key", ImportAbout.FILE, FILE),
                ids(namesake, "key", ImportAbout.FILE, FILE),
                ids(ACTOR, "other", ImportAbout.FILE, FILE),
                ids(ACTOR, "key", ImportAbout.because("why"), FILE),
                ids(ACTOR, "key", ImportAbout.FILE, file("p.csv", "b")),
                ids(ACTOR, "key", ImportAbout.FILE, file("q.csv", "a")),
                ids(ACTOR, "key", ImportAbout.FILE)));
        all.add(all.getFirst().next());

        assertThat(all).extracting(ImportIds::importId).doesNotHaveDuplicates();
        assertThat(all).extracting(ids -> ids.uploadId(ImportKind.PRICES)).doesNotHaveDuplicates();
        assertThat(all.getFirst().uploadId(ImportKind.STORES))
                .isNotEqualTo(all.getFirst().uploadId(ImportKind.PRICES));
    }

    private static ImportIds ids(Access access, String key, ImportAbout about, ImportFile... files) throws IOException {
        return ImportIds.of(access, key, List.of(files), about);
    }

    private static ImportFile file(String name, String content) {
        return new ImportFile(
                ImportKind.PRICES, name, content.length(), () -> new ByteArrayInputStream(content.getBytes(UTF_8)));
    }
}
