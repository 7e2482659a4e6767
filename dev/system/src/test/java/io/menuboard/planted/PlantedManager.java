package io.menuboard.planted;

import com.nimbusds.oauth2.sdk.id.State;
import graphql.schema.DataFetchingEnvironment;
import io.menuboard.kernel.Actor;
import io.menuboard.planted.inside.PlantedInside;
import io.menuboard.pricing.DynamoStores;
import io.menuboard.pricing.Pricing;
import io.menuboard.pricing.StoreId;
import io.menuboard.querydb.Item;
import io.menuboard.querydb.Key;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Breaks every other rule of the architecture once, so that each is seen to reject what it is there to reject. */
@SuppressWarnings("UnusedVariable") // that they are there is what the rules see
final class PlantedManager {
    @Inject
    @Nullable
    Pricing otherModule;

    @Nullable
    PlantedInside otherPackage;

    @Nullable
    AttributeValue aws;

    @Nullable
    SqsClient queues;

    @Nullable
    Key table;

    @Nullable
    Item item;

    @Nullable
    DataFetchingEnvironment graphQl;

    @Nullable
    State openIdConnect;

    @Nullable
    HttpRequest<?> micronaut;

    Instant wallClock() {
        return Instant.now();
    }

    Clock ownClock() {
        return Clock.systemUTC();
    }

    Actor ownActor() {
        return new Actor(Actor.Kind.USER, "ann", Actor.Source.PAGE);
    }

    String storeOfAnotherContext() {
        return DynamoStores.partition(new StoreId("DE-0001"));
    }
}
