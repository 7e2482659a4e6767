package io.menuboard.app.queues;

import static java.util.stream.Collectors.joining;
import static org.awaitility.Awaitility.await;

import io.menuboard.app.ApplicationServer;
import io.menuboard.local.aws.LocalAws;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Marks that the stream, its pipe and the queue of favorites tell the running application of. */
class CountedFavoritesTest {
    @Test
    void manyMarksInOneRequestAreCountedOnce() {
        var mutations = IntStream.range(0, 60)
                .mapToObj(
                        i -> "m" + i + ": favorite(input: {user: \"user-" + i + "\", restaurant: \"busy\"}) { isNew }")
                .collect(joining(" "));
        try (var aws = LocalAws.start(null, "favorites");
                var server = ApplicationServer.start(aws)) {
            server.data("mutation { " + mutations + " }");
            server.data("mutation { " + mutations + " }");

            await().until(() -> server.data("{ restaurant(id: \"busy\") { favoriteCounts { windows { count } } } }")
                            .at("/restaurant/favoriteCounts/windows/0/count")
                            .asLong()
                    == 60);
        }
    }
}
