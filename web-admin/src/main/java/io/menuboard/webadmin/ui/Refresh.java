package io.menuboard.webadmin.ui;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a page asks again by itself, for {@code components :: refresh}: whenever it is told that something has changed,
 * and else after a while.
 *
 * @param href address of the page as it is shown
 * @param seconds until it asks where it is told nothing; null if nothing can change any more
 * @param updates that tell it of changes; none once nothing can change any more
 */
public record Refresh(String href, @Nullable Integer seconds, List<Updates> updates) {
    /** How long a page trusts in being told. */
    private static final int SECONDS_WHILE_TOLD = 15;

    /**
     * The way of the page at that address, which nothing is told.
     *
     * @param open whether something may still change
     * @param seconds until it asks again
     */
    public static Refresh of(Link here, boolean open, int seconds) {
        return new Refresh(here.toString(), open ? seconds : null, List.of());
    }

    /**
     * The same, told of the updates of one thing.
     *
     * @param id letters, digits and hyphens
     */
    public Refresh onUpdatesOf(Subscription subscription, String id) {
        return seconds == null
                ? this
                : new Refresh(
                        href,
                        seconds,
                        Stream.concat(updates.stream(), Stream.of(Updates.of(subscription, id)))
                                .toList());
    }

    /** Until htmx asks again; null if nothing can change any more. */
    public @Nullable Integer delay() {
        return seconds == null || updates.isEmpty() ? seconds : Integer.valueOf(Math.max(seconds, SECONDS_WHILE_TOLD));
    }

    /**
     * Where a link leads that loads the page again, for browsers without JavaScript; null if nothing can change any more. Not
     * always where the browser is: a refused form is answered at an address of its own.
     */
    public @Nullable String reload() {
        return seconds == null ? null : href;
    }

    /** What pages are told of: a subscription of GraphQL to the updates of one thing. */
    public enum Subscription {
        TASK("taskUpdated"),
        CHANGE_SET("changeSetUpdated");

        private final String field;

        Subscription(String field) {
            this.field = field;
        }

        /** The document that pages send, always the same. */
        public String document() {
            return "subscription Page($id: ID!) { " + field + "(id: $id) { id } }";
        }
    }

    /**
     * A stream of server-sent events, of which each {@code next} tells of a change, and {@code complete} is the last.
     *
     * @param elementId of the element that listens, and that stays while the rest of the page is exchanged
     */
    public record Updates(String elementId, String href) {
        private static Updates of(Subscription subscription, String id) {
            return new Updates(
                    subscription.field + "-" + id,
                    Link.to("graphql", "stream")
                            .with("query", subscription.document())
                            .with("variables", "{\"id\":\"" + id + "\"}")
                            .toString());
        }
    }
}
