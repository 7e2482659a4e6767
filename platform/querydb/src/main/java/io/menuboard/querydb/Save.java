package io.menuboard.querydb;

/** One item to be saved, and how. */
public record Save(Item item, SaveMode mode) {}
