package io.menuboard.messaging.feed;

import static java.util.stream.Collectors.groupingBy;

import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes what instances left behind that died: queues whose tag has expired, and subscriptions of queues that are gone. */
final class FeedSweep implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(FeedSweep.class);

    /** Most queues of one answer of SQS, and of one run. */
    private static final int MOST_QUEUES = 1000;

    /** Pages of subscriptions of one run: twice as many subscriptions as queues. */
    private static final int MOST_PAGES = 20;

    /** Most queues, and most subscriptions without a queue, that one run removes; the next one removes more. */
    private static final int MOST_REMOVED = 100;

    private final FeedQueues queues;
    private final FeedTopic topic;
    private final Clock clock;

    /** @param clock one that instances agree on */
    FeedSweep(FeedQueues queues, FeedTopic topic, Clock clock) {
        this.queues = queues;
        this.topic = topic;
        this.clock = clock;
    }

    /** Two requests, one for each queue, and those that remove something. A run that fails is made up for by the next one. */
    @Override
    public void run() {
        var byQueue = topic.subscriptions(MOST_PAGES).stream()
                .filter(one -> queues.isOfAnInstance(one.queue()))
                .collect(groupingBy(FeedTopic.Subscription::queue));
        var there = new HashSet<String>();
        var removed = 0;
        for (var url : queues.list(MOST_QUEUES)) {
            var name = url.substring(url.lastIndexOf('/') + 1);
            there.add(name);
            if (removed < MOST_REMOVED && hasExpired(url)) {
                // In this order, so that what is left after a fault in between is found again.
                byQueue.getOrDefault(name, List.of()).forEach(one -> topic.unsubscribe(one.arn()));
                queues.remove(url);
                log.info("queue of an instance that is gone removed: queue={}", name);
                removed++;
            }
        }
        byQueue.keySet().stream()
                .filter(name -> !there.contains(name))
                .limit(MOST_REMOVED)
                // A queue that was just made need not be listed yet.
                .filter(name -> !queues.exists(name))
                .forEach(name -> {
                    byQueue.getOrDefault(name, List.of()).forEach(one -> topic.unsubscribe(one.arn()));
                    log.info("subscription of a queue that is gone removed: queue={}", name);
                });
    }

    private boolean hasExpired(String url) {
        var now = clock.instant();
        return queues.expires(url).filter(expires -> expires.isBefore(now)).isPresent();
    }
}
