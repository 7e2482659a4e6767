package io.menuboard.pricing.imports;

import io.menuboard.access.Principal;
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

    /** True for the same person or program, through whatever; by name where it was staged by who has no id. */
    boolean isOf(Principal principal) {
        return stagedBy.kind() == principal.kind()
                && (stagedBy.id() == null
                        ? stagedBy.name().equals(principal.name())
                        : stagedBy.id().equals(principal.id()));
    }
}
