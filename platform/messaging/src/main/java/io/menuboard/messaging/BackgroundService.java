package io.menuboard.messaging;

/** Work that an instance does by itself from when it serves until it stops, without requests. */
public interface BackgroundService extends AutoCloseable {

    /** Begins, once. */
    void start();

    /** Begins nothing more, gives work in progress a time to finish, then interrupts it. Does nothing the second time. */
    @Override
    void close();
}
