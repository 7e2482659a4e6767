package io.menuboard.local.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.dynamodb.services.local.shared.access.LocalDBAccess;
import software.amazon.dynamodb.services.local.shared.access.TableInfo;

class RememberedTablesTest {
    private final AtomicInteger reads = new AtomicInteger();
    private @Nullable Runnable duringRead;

    private final LocalDBAccess tables = RememberedTables.of((LocalDBAccess) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {LocalDBAccess.class}, (_, method, _) -> {
                if (method.getName().equals("getTableInfo")) {
                    var info = info(reads.incrementAndGet());
                    if (duringRead != null) {
                        duringRead.run();
                    }
                    return info;
                }
                return null;
            }));

    @Test
    void readsADescriptionOnce() {
        var first = tables.getTableInfo("menuboard");

        assertThat(tables.getTableInfo("menuboard")).isSameAs(first);
        assertThat(tables.getTableInfo("other")).isNotSameAs(first);
        assertThat(reads).hasValue(2);
    }

    @Test
    void forgetsWhatWasReadBeforeAChangeThatEndsFirst() {
        duringRead = () -> tables.deleteTable("menuboard");
        tables.getTableInfo("menuboard");
        duringRead = null;

        tables.getTableInfo("menuboard");

        assertThat(reads).hasValue(2);
    }

    private static TableInfo info(int number) {
        var key = AttributeDefinition.builder()
                .attributeName("pk" + number)
                .attributeType(ScalarAttributeType.S)
                .build();
        return new TableInfo(
                "table",
                key,
                null,
                List.of(key),
                List.of(),
                List.of(),
                null,
                null,
                BillingMode.PAY_PER_REQUEST,
                null,
                false);
    }
}
