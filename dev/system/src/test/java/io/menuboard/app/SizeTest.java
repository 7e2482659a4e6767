package io.menuboard.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** The sizes that keep a package, a class and a signature readable; {@code io.menuboard.planted} breaks each once. */
@AnalyzeClasses(
        packages = "io.menuboard",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.OnlyProduction.class})
class SizeTest {
    private static final int MAX_TYPES = 40;
    private static final int MAX_LINES = 400;
    private static final int MAX_COMPONENTS = 12;
    private static final int MAX_PARAMETERS = 6;

    @ArchTest
    static final ArchRule packagesAreSmall = packagesHaveAtMost(MAX_TYPES);

    /** Settings are as many as there are. */
    @ArchTest
    static final ArchRule recordsHaveFewComponents = classes()
            .that()
            .areRecords()
            .and()
            .haveSimpleNameNotEndingWith("Config")
            .should(haveAtMost(MAX_COMPONENTS, "components", SizeTest::components));

    @ArchTest
    static final ArchRule constructorsHaveFewParameters = classes()
            .that()
            .areNotRecords()
            .and()
            .areNotAnonymousClasses()
            .and()
            .haveNameNotMatching(".*\\$(Definition|Introspection|Intercepted|[0-9]).*")
            .should(haveAtMost(MAX_PARAMETERS, "parameters of a constructor", SizeTest::parameters));

    @Test
    void classesAreShort() throws IOException {
        var sources = sources(ProjectFiles.ROOT, "src/main/java");

        assertThat(sources).hasSizeGreaterThan(400);
        assertThat(longerThan(MAX_LINES, sources)).isEmpty();
    }

    @Test
    void everyRuleRejectsThePlantedClasses() throws IOException {
        var planted = new ClassFileImporter().importPackages("io.menuboard.planted");

        for (var rule : List.of(packagesHaveAtMost(1), recordsHaveFewComponents, constructorsHaveFewParameters)) {
            assertThat(rule.evaluate(planted).hasViolation())
                    .as(rule.getDescription())
                    .isTrue();
        }
        assertThat(longerThan(10, sources(ProjectFiles.ROOT, "io/menuboard/planted")))
                .isNotEmpty();
    }

    private static ArchRule packagesHaveAtMost(int types) {
        return classes().should(new ArchCondition<>("be in packages of at most " + types + " top-level types") {
            private Map<String, Long> counts = Map.of();

            @Override
            public void init(Collection<JavaClass> all) {
                counts = all.stream()
                        .filter(each -> each.isTopLevelClass()
                                && !each.getSimpleName().equals("package-info")
                                && !each.getName().contains(".$"))
                        .collect(groupingBy(JavaClass::getPackageName, counting()));
            }

            @Override
            public void check(JavaClass each, ConditionEvents events) {}

            @Override
            public void finish(ConditionEvents events) {
                counts.forEach((name, count) -> {
                    if (count > types) {
                        events.add(SimpleConditionEvent.violated(name, name + " has " + count));
                    }
                });
            }
        });
    }

    private static ArchCondition<JavaClass> haveAtMost(int most, String what, ToIntFunction<JavaClass> count) {
        return new ArchCondition<>("have at most " + most + " " + what) {
            @Override
            public void check(JavaClass each, ConditionEvents events) {
                var has = count.applyAsInt(each);
                if (has > most) {
                    events.add(SimpleConditionEvent.violated(each, each.getName() + " has " + has));
                }
            }
        };
    }

    private static int components(JavaClass each) {
        return (int) each.getFields().stream()
                .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
                .count();
    }

    /** Without what the compiler adds: the instance around an inner class, name and ordinal of an enum. */
    private static int parameters(JavaClass each) {
        var added = each.isEnum() ? 2 : each.isInnerClass() ? 1 : 0;
        return each.getConstructors().stream()
                        .filter(constructor -> !constructor.getModifiers().contains(JavaModifier.SYNTHETIC))
                        .mapToInt(constructor ->
                                constructor.getRawParameterTypes().size())
                        .max()
                        .orElse(added)
                - added;
    }

    private static List<String> longerThan(int lines, List<Path> sources) throws IOException {
        var found = new ArrayList<String>();
        for (var source : sources) {
            var has = Files.readAllLines(source).size();
            if (has > lines) {
                found.add(source.getFileName() + " has " + has);
            }
        }
        return found;
    }

    private static List<Path> sources(Path folder, String within) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")
                            && file.toString().contains('/' + within + '/')
                            && !file.toString().contains("/target/"))
                    .toList();
        }
    }
}
