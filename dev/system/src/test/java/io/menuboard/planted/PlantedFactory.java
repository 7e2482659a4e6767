package io.menuboard.planted;

/** Breaks the rule that adapters are package-private. */
public final class PlantedFactory {}
