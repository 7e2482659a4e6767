package io.menuboard.app.queues;

import io.menuboard.messaging.SqsSender;
import io.menuboard.pricing.batches.BatchSchedules;
import io.menuboard.pricing.events.PriceEvents;
import io.menuboard.querydb.coordination.TableClock;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.scheduler.SchedulerClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Schedules and events, where they are configured. The SDK's retries stay on: everything here may happen twice. */
@Factory
final class EventBridgeFactory {

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(beans = SchedulerConfig.class)
    SchedulerClient schedulerClient(
            AwsCredentialsProviderChain credentials,
            AwsRegionProviderChain region,
            @Property(name = "aws.services.scheduler.endpoint-override") @Nullable URI endpoint) {
        return SchedulerClient.builder()
                .credentialsProvider(credentials)
                .region(region.getRegion())
                .endpointOverride(endpoint)
                .httpClientBuilder(ApacheHttpClient.builder())
                .build();
    }

    @Singleton
    @Requires(beans = SchedulerConfig.class)
    BatchSchedules schedules(
            SchedulerClient scheduler,
            SqsClient sqs,
            SchedulerConfig config,
            @Property(name = "menuboard.queues.due-url") String dueUrl,
            TableClock clock) {
        return new EventBridgeSchedules(scheduler, new SqsSender(sqs, dueUrl), config, clock);
    }

    @Singleton
    @Bean(preDestroy = "close")
    @Requires(beans = EventsConfig.class)
    EventBridgeClient eventBridgeClient(
            AwsCredentialsProviderChain credentials,
            AwsRegionProviderChain region,
            @Property(name = "aws.services.eventbridge.endpoint-override") @Nullable URI endpoint) {
        return EventBridgeClient.builder()
                .credentialsProvider(credentials)
                .region(region.getRegion())
                .endpointOverride(endpoint)
                .httpClientBuilder(ApacheHttpClient.builder())
                .build();
    }

    @Singleton
    @Requires(beans = EventsConfig.class)
    PriceEvents events(EventBridgeClient client, EventsConfig config) {
        return new EventBridgeEvents(client, config);
    }
}
