package io.menuboard.webadmin.operations;

import io.menuboard.messaging.DeadLetters;
import io.menuboard.webadmin.ui.Confirmation;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Reference;
import java.util.List;

/** View model of {@code operations/redrive}: the question before dead letters are sent back. */
record RedrivePage(Confirmation confirmation, String queue, String count) {

    static RedrivePage of(DeadLetters.Queue queue) {
        var letters = Link.to("dead-letters");
        return new RedrivePage(
                Confirmation.of(
                        List.of(
                                Reference.of("Operations", Link.to("operations")),
                                Reference.of("Dead letters", letters)),
                        "Redrive " + queue.name() + "?",
                        "All its dead letters go back to where they failed. None is lost; one may be handled twice, which"
                                + " changes nothing.",
                        "Redrive them all",
                        address(queue),
                        Reference.of("Back to the dead letters", letters)),
                queue.name(),
                DeadLettersPage.count(queue));
    }

    static Link address(DeadLetters.Queue queue) {
        return Link.to("dead-letters", queue.name(), "redrive");
    }
}
