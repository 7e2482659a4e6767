package io.menuboard.pricing.chunks;

/** Planners of what writing a chunk takes. */
public record ChunkPlans(DynamoAtOncePlans atOnce, DynamoScheduledPlans scheduled) {}
