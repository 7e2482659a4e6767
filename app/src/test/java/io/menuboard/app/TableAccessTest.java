package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.graphql.DataAccess.KnownFault;
import io.menuboard.querydb.UnreadableItem;
import io.menuboard.querydb.coordination.TableClock;
import java.time.Clock;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;

class TableAccessTest {
    private final TableAccess table = new TableAccess(
            "menuboard", new SecretKeySpec(new byte[] {1}, "HmacSHA256"), new TableClock(Clock.systemUTC()));

    @Test
    void asksToTryAgainWhenTheTableCannotBeReached() {
        var fault = new IllegalStateException("not loaded", SdkClientException.create("connect timed out to 10.1.2.3"));

        assertThat(table.explain(fault)).hasValue(new KnownFault("UNAVAILABLE", "Temporarily unavailable, try again"));
    }

    @Test
    void saysThatAnotherVersionWroteWhatThisOneCannotRead() {
        assertThat(table.explain(unreadable()).map(KnownFault::code)).hasValue("OTHER_VERSION");
    }

    @Test
    void knowsThatItIsOneThingAloneWhichCannotBeRead() {
        assertThat(table.isOfOneThing(new IllegalStateException(unreadable()))).isTrue();
        assertThat(table.isOfOneThing(SdkClientException.create("connect timed out")))
                .isFalse();
    }

    @Test
    void knowsNoBugs() {
        assertThat(table.explain(new IllegalStateException("a bug"))).isEqualTo(Optional.empty());
    }

    private static RuntimeException unreadable() {
        try {
            return UnreadableItem.read("STORE#DE-0001 / META", () -> {
                throw new IllegalArgumentException("at row 7");
            });
        } catch (UnreadableItem e) {
            return e;
        }
    }
}
