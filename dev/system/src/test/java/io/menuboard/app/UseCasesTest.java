package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import io.menuboard.access.Access;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Doors, which are pages, fields of GraphQL and the command line, say who asks whenever they ask a context for anything. What
 * they call are use cases: public methods of classes that hold a store, or another class that does.
 */
@AnalyzeClasses(
        packages = "io.menuboard",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.OnlyProduction.class})
class UseCasesTest {
    private static final Set<String> CONTEXTS = Set.of("pricing", "tasks", "billing", "favorites", "accounts", "audit");

    /** Time and settings are no secret. */
    private static final Set<Class<?>> OPEN = Set.of(Instant.class, Duration.class, int.class, boolean.class);

    @ArchTest
    static final ArchRule doorsSayWhoAsks = ArchRuleDefinition.classes()
            .should(new ArchCondition<>("give use cases the Access of who asks") {
                @Override
                public void check(JavaClass origin, ConditionEvents events) {
                    if (!isDoor(origin)) {
                        return;
                    }
                    Stream.concat(
                                    origin.getMethodCallsFromSelf().stream(),
                                    origin.getMethodReferencesFromSelf().stream())
                            .filter(UseCasesTest::asksAContextWithoutAccess)
                            .forEach(call -> events.add(SimpleConditionEvent.violated(call, call.getDescription())));
                }
            });

    private static boolean isDoor(JavaClass c) {
        return c.getPackageName().startsWith("io.menuboard.webadmin")
                || c.getFullName().matches("io\\.menuboard\\..*(GraphQl|Command)(\\$.*)?");
    }

    private static boolean asksAContextWithoutAccess(JavaAccess<? extends CodeUnitAccessTarget> call) {
        return isOfAContext(call.getTargetOwner())
                && isUseCases(call.getTargetOwner(), new HashSet<>())
                && call.getTarget().resolveMember().stream()
                        .filter(JavaMethod.class::isInstance)
                        .map(JavaMethod.class::cast)
                        .anyMatch(UseCasesTest::needsAccess);
    }

    private static boolean needsAccess(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.PUBLIC)
                && !method.getModifiers().contains(JavaModifier.STATIC)
                && !SIGN_IN.contains(method.getOwner().getSimpleName() + "." + method.getName())
                && !(method.getRawParameterTypes().isEmpty()
                        && OPEN.stream().anyMatch(method.getRawReturnType()::isEquivalentTo))
                && (method.getRawParameterTypes().isEmpty()
                        || !method.getRawParameterTypes().getFirst().isEquivalentTo(Access.class));
    }

    /** Who asks is what signing in finds out. */
    private static final Set<String> SIGN_IN = Set.of(
            "SignIns.signIn",
            "SignIns.changePassword",
            "IssuerSignIns.signIn",
            "Sessions.session",
            "Sessions.hasPassword");

    private static boolean isUseCases(JavaClass c, Set<JavaClass> seen) {
        if (!c.getModifiers().contains(JavaModifier.PUBLIC) || c.isRecord() || c.isInterface() || c.isEnum()) {
            return false;
        }
        return seen.add(c) && c.getFields().stream().anyMatch(field -> holdsAStore(field.getRawType(), seen));
    }

    private static boolean isOfAContext(JavaClass c) {
        return c.getPackageName().startsWith("io.menuboard.") && CONTEXTS.contains(ArchitectureTest.module(c));
    }

    private static boolean holdsAStore(JavaClass field, Set<JavaClass> seen) {
        return field.getSimpleName().startsWith("Dynamo")
                || field.getSimpleName().equals("QueryDb")
                || (isOfAContext(field) && isUseCases(field, seen));
    }

    @Test
    void theRuleRejectsThePlantedDoor() {
        var planted = new ClassFileImporter().importPackages("io.menuboard.planted", "io.menuboard.accounts");

        assertThat(doorsSayWhoAsks.evaluate(planted).hasViolation()).isTrue();
    }
}
