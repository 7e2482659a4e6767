package io.menuboard.pricing.packs;

import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/**
 * A file with what a store sells through a channel, and with every change of it that is planned in a time. The same bytes have
 * the same name, and in practice none but the same.
 */
public final class PricePack {
    private static final int HASH_BYTES = 8;

    private final StoreId store;
    private final Channel channel;
    private final PackFormat format;
    private final Instant validFrom;
    private final byte[] content;
    private final String hash;

    PricePack(StoreId store, Channel channel, PackFormat format, Instant validFrom, byte[] content) {
        this.store = store;
        this.channel = channel;
        this.format = format;
        this.validFrom = validFrom;
        this.content = content;
        hash = hash(content);
    }

    private static String hash(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** {@code {store}-{channel}-{hash}.json}, or {@code .csv}. */
    public String name() {
        return store + "-" + channel + "-" + hash + "." + format.extension();
    }

    /** The first 16 hexadecimal digits of the SHA-256 of its bytes. */
    public String hash() {
        return hash;
    }

    public PackFormat format() {
        return format;
    }

    /** The instant from which on it says what counts; packs of a later hour have another one. */
    public Instant validFrom() {
        return validFrom;
    }

    /** Its bytes. */
    public byte[] content() {
        return content.clone();
    }

    /** Its text, as somebody reads it. */
    @Override
    public String toString() {
        return new String(content, StandardCharsets.UTF_8);
    }
}
