package io.menuboard.pricing.batches;

/**
 * Bounds that batches and change sets share.
 *
 * @param shards partitions that share the lines of one set
 * @param chunksAtOnce most transactions of one set that are in flight together
 */
public record ChangeConcurrency(int shards, int chunksAtOnce) {}
