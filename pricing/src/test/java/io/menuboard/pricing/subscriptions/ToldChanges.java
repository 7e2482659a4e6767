package io.menuboard.pricing.subscriptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Money;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A client that keeps what it is told. */
final class ToldChanges implements Flow.Subscriber<PriceChanges> {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final long requested;
    private final List<PriceChanges> events = new ArrayList<>();
    private Flow.@Nullable Subscription subscription;
    private @Nullable Throwable error;
    private boolean isComplete;

    ToldChanges() {
        this(Long.MAX_VALUE);
    }

    ToldChanges(long requested) {
        this.requested = requested;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (requested > 0) {
            given.request(requested);
        }
    }

    @Override
    public synchronized void onNext(PriceChanges event) {
        events.add(event);
    }

    @Override
    public synchronized void onError(Throwable given) {
        error = given;
    }

    @Override
    public synchronized void onComplete() {
        isComplete = true;
    }

    synchronized List<PriceChanges> events() {
        return List.copyOf(events);
    }

    synchronized boolean isComplete() {
        return isComplete;
    }

    private synchronized @Nullable Throwable error() {
        return error;
    }

    synchronized void request(long more) {
        Objects.requireNonNull(subscription).request(more);
    }

    synchronized void cancel() {
        Objects.requireNonNull(subscription).cancel();
    }

    /** All changes, as {@code 10:00:00 P000 4.99 -> 5.49}. */
    List<String> changes() {
        return events().stream()
                .flatMap(event -> event.changes().stream())
                .map(ToldChanges::text)
                .toList();
    }

    static String text(PriceChange change) {
        return change.at() + " " + change.subject().name() + " " + text(change.before()) + " -> "
                + text(change.after());
    }

    private static String text(@Nullable Money money) {
        return money == null ? "none" : money.amount().toPlainString();
    }

    void awaitEvents(int count) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(events()).hasSizeGreaterThanOrEqualTo(count));
    }

    void awaitChanges(String... expected) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(changes()).hasSizeGreaterThanOrEqualTo(expected.length));
        assertThat(changes()).containsExactly(expected);
    }

    /** Code of what it ended with. */
    String awaitCode() {
        var found = awaitError();
        return found instanceof InvalidInput refused ? refused.code() : found.toString();
    }

    Throwable awaitError() {
        await().atMost(PATIENCE).until(() -> error() != null);
        return Objects.requireNonNull(error());
    }

    void awaitComplete() {
        await().atMost(PATIENCE).until(this::isComplete);
    }

    String lastPosition() {
        return events().getLast().position();
    }
}
