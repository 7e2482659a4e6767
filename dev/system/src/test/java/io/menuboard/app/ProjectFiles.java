package io.menuboard.app;

import java.nio.file.Path;

/** Where tests find what no class path has: sources, deployment, documents. */
final class ProjectFiles {
    /** The folder that holds all modules, from that of the tests. */
    static final Path ROOT = Path.of("..", "..");

    static final Path DEPLOYMENT = ROOT.resolve("app/deploy");

    static final Path OPERATIONS_GUIDE = ROOT.resolve("docs/operations.md");

    private ProjectFiles() {}
}
