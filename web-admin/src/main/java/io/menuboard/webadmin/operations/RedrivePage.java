package io.menuboard.webadmin.operations;

import io.menuboard.messaging.DeadLetters;
import io.menuboard.webadmin.ui.Link;

/** View model of {@code operations/redrive}: the question before dead letters are sent back. */
record RedrivePage(String queue, String action, String count) {

    static RedrivePage of(DeadLetters.Queue queue) {
        return new RedrivePage(queue.name(), address(queue).toString(), DeadLettersPage.count(queue));
    }

    static Link address(DeadLetters.Queue queue) {
        return Link.to("dead-letters", queue.name(), "redrive");
    }
}
