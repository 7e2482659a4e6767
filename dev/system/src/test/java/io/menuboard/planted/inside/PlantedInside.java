package io.menuboard.planted.inside;

/** Lies in a package that the one around it may not use. */
public final class PlantedInside {}
