package io.menuboard.pricing.imports;

import io.menuboard.kernel.Actor;
import io.menuboard.pricing.changes.ImportId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A file that is to be sent, or was, before it is imported.
 *
 * @param fileName its owner's; null for none
 * @param bytes its exact size
 * @param stagedBy who alone may import it
 * @param expiresAt until when it can be sent and imported, exclusive
 * @param importId id that its import has, or will have
 * @param purpose hash of what it is imported as; null as long as nobody has asked for that
 */
public record StagedUpload(
        UploadId id,
        @Nullable String fileName,
        long bytes,
        Actor stagedBy,
        Instant expiresAt,
        ImportId importId,
        @Nullable String purpose) {

    /** Tells whether it can still be sent: it has not expired, and nobody has begun to import it. */
    public boolean isOpen(Instant now) {
        return purpose == null && now.isBefore(expiresAt);
    }

    /** Who has logged in as the same person or program, through whatever. */
    boolean isOf(Actor actor) {
        return stagedBy.kind() == actor.kind() && stagedBy.name().equals(actor.name());
    }
}
