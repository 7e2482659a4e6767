package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LocalDynamoDbTest {

    private static final TableDefinition TABLE = TableDefinition.menuboard("menuboard");
    private static final Item ITEM = Item.at(new Key("p", "s")).type("thing").build();

    @Test
    void onlyThisMachineReachesIt() throws SocketException {
        var port = LocalDynamoDb.shared().endpoint().getPort();
        var others = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .toList();

        assertThat(LocalDynamoDb.shared().endpoint().getHost()).isEqualTo("127.0.0.1");
        assertThat(others).allSatisfy(address -> assertThatExceptionOfType(ConnectException.class)
                .isThrownBy(() -> connect(address, port)));
    }

    @Test
    void dataInAFolderSurvivesARestart(@TempDir Path folder) {
        var data = folder.resolve("created").resolve("on demand");
        try (var local = LocalDynamoDb.inFolder(data, 0)) {
            local.createTable(TABLE);
            db(local).save(ITEM, SaveMode.ANY);
        }

        try (var local = LocalDynamoDb.inFolder(data, 0)) {
            local.createTable(TABLE);
            assertThat(db(local).load("p")).isEqualTo(List.of(ITEM));
        }
    }

    @Test
    void dataInMemoryIsGoneAfterwards() {
        try (var local = LocalDynamoDb.inMemory()) {
            local.createTable(TABLE);
            db(local).save(ITEM, SaveMode.ANY);
        }

        try (var local = LocalDynamoDb.inMemory()) {
            local.createTable(TABLE);
            assertThat(db(local).load("p")).isEmpty();
        }
    }

    private static QueryDb db(LocalDynamoDb local) {
        return new QueryDb(
                local.client(),
                TABLE,
                Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                FreshTable.RETRIES,
                Meter.NONE,
                FreshTable.CURSOR_KEY,
                1);
    }

    private static void connect(InetAddress address, int port) throws IOException {
        new Socket(address, port).close();
    }
}
