package io.menuboard.planted;

/** Breaks the rules of sizes. */
final class PlantedSizes {
    PlantedSizes(int a, int b, int c, int d, int e, int f, int g) {
        assert a + b + c + d + e + f + g == 0;
    }

    record Components(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l, int m) {}
}
