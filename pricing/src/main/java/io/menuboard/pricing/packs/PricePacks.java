package io.menuboard.pricing.packs;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Ids;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.current.CurrentPrices.Asked;
import io.menuboard.pricing.current.MenuPlan;
import io.menuboard.pricing.current.Menus;
import io.menuboard.pricing.current.ReadConsistency;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Use cases of price packs. A pack begins with the UTC hour in which it is made, so that for one hour the same revisions of prices
 * give the same bytes in every instance. Thread-safe.
 *
 * <p>They need {@link Permission#PRICES_READ}. A pack costs what {@link Menus#plan} does: nothing where prices are remembered.
 */
public final class PricePacks {
    /** Readers of another format would read packs wrongly. */
    static final int FORMAT = 1;

    private final Menus menus;
    private final Duration length;
    private final @Nullable PackSigner signer;

    PricePacks(Menus menus, Duration length, @Nullable PackSigner signer) {
        this.menus = menus;
        this.length = length;
        this.signer = signer;
    }

    /** Whether packs are made: whether there is a key to sign them with. */
    public boolean enabled() {
        return signer != null;
    }

    /**
     * The pack of this hour, as old as {@link ReadConsistency#BOUNDED} prices may be.
     *
     * @return empty where there is no such store, or it is not to be seen
     * @throws InvalidInput {@code NOT_FOUND} on {@code store} without a key to sign packs with
     */
    public Optional<PricePack> current(Access access, StoreId store, Channel channel, PackFormat format) {
        requireSigner();
        return pack(access, store, channel, format, ReadConsistency.BOUNDED);
    }

    /** Whether a text that ends like the name of a file is the name of a channel of the store, which has prices; one read unit at most. */
    public boolean isChannel(Access access, StoreId store, String text) {
        return text.length() <= Ids.MAX_LENGTH && menus.isUsed(access, store, new Channel(text));
    }

    /**
     * The pack of that name, while it is the one of this hour. Who was told the name by another instance, which knew of newer
     * prices, is given it, too; finding out costs two read units.
     *
     * @return empty where there is no such store, or it is not to be seen, or its pack has another name
     * @throws InvalidInput {@code NOT_FOUND} on {@code store} without a key to sign packs with
     */
    public Optional<PricePack> named(Access access, StoreId store, Channel channel, PackFormat format, String name) {
        return current(access, store, channel, format)
                .flatMap(known -> known.name().equals(name)
                        ? Optional.of(known)
                        : pack(access, store, channel, format, ReadConsistency.STRONG))
                .filter(found -> found.name().equals(name));
    }

    /** Detached signature of a pack: a JSON Web Signature without its payload, which is the bytes of the pack. */
    public String signature(Access access, PricePack pack) {
        access.require(Permission.PRICES_READ);
        return requireSigner().detached(pack.content());
    }

    /** For how long a pack is still that of this hour; zero where it is not any more. */
    public Duration left(Access access, PricePack pack) {
        access.require(Permission.PRICES_READ);
        var left = Duration.between(menus.now(), pack.validFrom().plus(1, ChronoUnit.HOURS));
        return left.isNegative() ? Duration.ZERO : left;
    }

    private PackSigner requireSigner() {
        if (signer == null) {
            throw new InvalidInput(
                    "NOT_FOUND",
                    "store",
                    "There are no price packs: the setting menuboard.pricing.packs.signing-key has no key to sign them with.");
        }
        return signer;
    }

    private Optional<PricePack> pack(
            Access access, StoreId store, Channel channel, PackFormat format, ReadConsistency consistency) {
        var from = menus.now().truncatedTo(ChronoUnit.HOURS);
        return menus.plan(access, new Asked(store, channel, from, consistency), from.plus(length))
                .map(plan -> new PricePack(store, channel, format, from, bytes(plan, format)));
    }

    private static byte[] bytes(MenuPlan plan, PackFormat format) {
        var bytes = new ByteArrayOutputStream();
        try {
            switch (format) {
                case JSON -> PackJson.write(plan, bytes);
                case CSV -> PackCsv.write(plan, bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory has no faults", e);
        }
        return bytes.toByteArray();
    }
}
