package io.menuboard.messaging.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FeedConfigTest {
    private static final String TOPIC = "arn:aws:sns:eu-central-1:000000000000:menuboard-Topic-1";
    private static final Duration RENEW = Duration.ofMinutes(1);
    private static final Duration EXPIRY = Duration.ofMinutes(10);

    @Test
    void namesOfQueuesAreAsLongAsSqsAllows() {
        assertThat(new FeedConfig(TOPIC, "a".repeat(48), RENEW, EXPIRY).queuePrefix())
                .hasSize(48);

        for (var prefix : new String[] {"", "a".repeat(49), "feed.", "feed*"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new FeedConfig(TOPIC, prefix, RENEW, EXPIRY))
                    .withMessageStartingWith("menuboard.feed.queue-prefix must be");
        }
    }

    @Test
    void theTopicIsAnArnOfAStandardTopic() {
        for (var topic : new String[] {"menuboard", TOPIC + ".fifo", TOPIC.replace("sns", "sqs")}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new FeedConfig(topic, "feed-", RENEW, EXPIRY))
                    .withMessageStartingWith("menuboard.feed.topic-arn must be");
        }
    }

    @Test
    void anInstanceThatLivesHasTimeToSaySo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FeedConfig(TOPIC, "feed-", RENEW, Duration.ofSeconds(179)))
                .withMessageStartingWith("menuboard.feed.expiry must be 3 times renew or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FeedConfig(TOPIC, "feed-", Duration.ZERO, EXPIRY))
                .withMessageStartingWith("menuboard.feed.renew must be");
    }
}
