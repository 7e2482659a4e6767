package io.menuboard.querydb.audit;

import io.menuboard.kernel.Actor;
import java.time.Instant;
import java.util.Map;

/**
 * One thing that was done.
 *
 * @param at to the microsecond
 * @param details further facts, sorted by name
 */
public record AuditRecord(Instant at, Actor actor, String subject, String action, Map<String, String> details) {}
