package io.menuboard.app;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing that opens a door is in the sources; needs no network and no history. */
class SecretsTest {
    private static final Set<String> MADE = Set.of("target", "node_modules", ".git", "data");
    private static final long MAX_BYTES = 4_000_000;

    /** By the form that whoever issues them gives them. Keys that AWS has in its documentation end with EXAMPLE. */
    private static final Map<String, Pattern> FORMS = Map.of(
            "access key of AWS", Pattern.compile("\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b(?<!EXAMPLE)"),
            "secret key of AWS",
                    Pattern.compile("(?i)aws.{0,20}secret.{0,20}[=:]\\s*[\"']?[0-9a-z/+]{40}(?<!EXAMPLEKEY)\\b"),
            "private key", Pattern.compile("-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"),
            "token of ours", Pattern.compile("\\bmb_[0-9A-Z]{26}_(?!(.)\\1{63})[0-9a-f]{64}\\b"),
            "token of GitHub", Pattern.compile("\\bgh[opsur]_[0-9A-Za-z]{36}\\b|\\bgithub_pat_\\w{60,}"),
            "token of Slack", Pattern.compile("\\bxox[abprs]-[0-9A-Za-z-]{20,}"),
            "token of npm", Pattern.compile("\\bnpm_[0-9A-Za-z]{36}\\b"),
            "JSON web token", Pattern.compile("\\beyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]{20,}"),
            "password in an address", Pattern.compile("\\bhttps?://[^/\\s:@\"'{}$%<>]+:[^/\\s@\"'{}$%<>]{4,}@"));

    @Test
    void theSourcesHaveNoSecrets() throws IOException {
        assertThat(files(ProjectFiles.ROOT)).hasSizeGreaterThan(1_000);
        assertThat(secrets(ProjectFiles.ROOT)).isEmpty();
    }

    @Test
    void plantedOnesAreFound(@TempDir Path folder) throws IOException {
        var planted = new TreeMap<>(Map.of(
                "access key of AWS", "AKIA" + "Q".repeat(16),
                "secret key of AWS", "aws_secret_access_key = " + "a1/B".repeat(10),
                "private key", "-----BEGIN RSA " + "PRIVATE KEY-----",
                "token of ours", "mb_" + "0".repeat(26) + "_" + "0a".repeat(32),
                "token of GitHub", "ghp_" + "a".repeat(36),
                "token of Slack", "xoxb-" + "1".repeat(20),
                "token of npm", "npm_" + "a".repeat(36),
                "JSON web token", "eyJ" + "a".repeat(10) + ".eyJ" + "a".repeat(10) + "." + "a".repeat(20),
                "password in an address", "https://ada:" + "lovelace@example.com/"));
        for (var secret : planted.entrySet()) {
            Files.createDirectories(folder.resolve("a"));
            Files.writeString(
                    folder.resolve("a").resolve(secret.getKey()), "# settings\n\"" + secret.getValue() + "\"\n");
        }

        assertThat(planted.keySet()).isEqualTo(FORMS.keySet());
        assertThat(secrets(folder))
                .containsExactlyInAnyOrderElementsOf(planted.keySet().stream()
                        .map(name -> Path.of("a", name) + ":2: " + name)
                        .toList());
    }

    private static List<String> secrets(Path folder) throws IOException {
        var found = new ArrayList<String>();
        for (var file : files(folder)) {
            var text = Files.readString(file, ISO_8859_1);
            FORMS.forEach((name, form) -> form.matcher(text).results().forEach(secret -> {
                var line = text.substring(0, secret.start()).lines().count();
                found.add(folder.relativize(file) + ":" + Math.max(1, line) + ": " + name);
            }));
        }
        return found;
    }

    private static List<Path> files(Path folder) throws IOException {
        var files = new ArrayList<Path>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                return MADE.contains(directory.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && attributes.size() <= MAX_BYTES) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
