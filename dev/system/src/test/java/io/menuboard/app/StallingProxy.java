package io.menuboard.app;

import io.menuboard.local.aws.LocalDynamoDb;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to a server that can stop to carry anything for a while, as a network does: connections stay, and nothing comes. */
final class StallingProxy implements AutoCloseable {
    private static final CountDownLatch OPEN = new CountDownLatch(0);

    private final URI target;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Socket> forgotten = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lost = new AtomicInteger();
    private volatile CountDownLatch gate = OPEN;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    StallingProxy(URI target) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + listening.getLocalPort());
    }

    /** Settings of an application whose clients go this way. */
    Map<String, Object> aws() {
        return LocalDynamoDb.properties(endpoint());
    }

    /** Carries nothing from now on. */
    void stall() {
        gate = new CountDownLatch(1);
    }

    /** Carries everything again, on new connections: what was under way is lost. */
    void resume() {
        var closed = gate;
        gate = OPEN;
        sockets.forEach(StallingProxy::close);
        closed.countDown();
    }

    /** Carries everything again, on new connections: those from before stay open, and stay silent for ever. */
    void resumeForgetting() {
        forgotten.addAll(sockets);
        gate = OPEN;
    }

    /** How many clients have a connection. */
    int connections() {
        return sockets.size() / 2;
    }

    /** How often clients have sent something on connections that are silent for ever. */
    int lost() {
        return lost.get();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        resume();
        threads.shutdownNow();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                var client = listening.accept();
                threads.execute(() -> connect(client));
            } catch (IOException _) {
                // Closed.
            }
        }
    }

    private void connect(Socket client) {
        try {
            sockets.add(client);
            var server = new Socket(target.getHost(), target.getPort());
            sockets.add(server);
            var request = client.getInputStream();
            var answer = server.getInputStream();
            var there = server.getOutputStream();
            var back = client.getOutputStream();
            threads.execute(() -> carry(request, there, client, server));
            carry(answer, back, client, server);
        } catch (IOException _) {
            close(client);
        }
    }

    private void carry(InputStream from, OutputStream to, Socket client, Socket server) {
        var bytes = new byte[8192];
        try {
            for (var read = from.read(bytes); read >= 0; read = from.read(bytes)) {
                gate.await();
                if (forgotten.contains(client)) {
                    lost.incrementAndGet();
                } else {
                    to.write(bytes, 0, read);
                }
            }
        } catch (IOException _) {
            // One of the two has gone.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(client);
            close(server);
            sockets.remove(client);
            sockets.remove(server);
            forgotten.remove(client);
            forgotten.remove(server);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // It is gone, whichever way.
        }
    }
}
