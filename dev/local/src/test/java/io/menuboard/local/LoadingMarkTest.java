package io.menuboard.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadingMarkTest {
    @Test
    void isThereForTheNextProcessUntilAllIsLoaded(@TempDir Path data) {
        assertThat(new LoadingMark(data).isThere()).isFalse();

        new LoadingMark(data).set();
        assertThat(new LoadingMark(data).isThere()).isTrue();

        new LoadingMark(data).remove();
        assertThat(new LoadingMark(data).isThere()).isFalse();
    }

    @Test
    void isNeverThereWhereNoFolderKeepsTheData() {
        var mark = new LoadingMark(null);
        mark.set();

        assertThat(mark.isThere()).isFalse();
        mark.remove();
    }
}
