package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.kernel.Count;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.kernel.PageRequest.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A list as it must be found page by page.
 *
 * @param all in list order
 * @param pages reads a page of the list in the table
 */
record ExpectedList(List<String> all, Function<PageRequest, Page<String>> pages) {

    /** Reads it page by page to its end: every node once, in order. */
    void walk(Direction direction, int size) {
        var forward = direction == Direction.FORWARD;
        var walked = new ArrayList<String>();
        var page = pages.apply(new PageRequest(direction, size, null));
        assertThat(page.totalCount()).isEqualTo(Count.exactly(all.size()));
        while (true) {
            var before = walked.size();
            walked.addAll(forward ? page.nodes() : page.nodes().reversed());
            var ahead = forward ? page.hasNextPage() : page.hasPreviousPage();
            var behind = forward ? page.hasPreviousPage() : page.hasNextPage();
            assertThat(ahead)
                    .as("more after %s of %s", walked.size(), all.size())
                    .isEqualTo(walked.size() < all.size());
            assertThat(behind).as("any before %s", before).isEqualTo(before > 0);
            if (!ahead) {
                assertThat(forward ? walked : walked.reversed()).isEqualTo(all);
                return;
            }
            assertThat(page.nodes()).hasSize(size);
            page = pages.apply(new PageRequest(direction, size, forward ? page.endCursor() : page.startCursor()));
        }
    }

    /** Reads the page next to a cursor, and checks that it says whether there is more to both sides of it. */
    void check(PageRequest request, Predicate<String> isBeyondCursor) {
        var forward = request.direction() == Direction.FORWARD;
        var beyond = all.stream().filter(isBeyondCursor).toList();
        var nodes = forward
                ? beyond.stream().limit(request.size()).toList()
                : beyond.subList(Math.max(0, beyond.size() - request.size()), beyond.size());

        var page = pages.apply(request);

        assertThat(page.nodes()).isEqualTo(nodes);
        assertThat(page.totalCount()).isEqualTo(Count.exactly(all.size()));
        var ahead = nodes.size() < beyond.size();
        var behind = beyond.size() < all.size();
        assertThat(page.hasNextPage()).isEqualTo(forward ? ahead : behind);
        assertThat(page.hasPreviousPage()).isEqualTo(forward ? behind : ahead);
    }
}
