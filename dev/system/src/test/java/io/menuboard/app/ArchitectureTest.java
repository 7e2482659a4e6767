package io.menuboard.app;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static java.util.Map.entry;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.menuboard.kernel.Actor;
import jakarta.inject.Inject;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The dependencies that the architecture allows; {@code io.menuboard.planted} breaks each rule once. */
@AnalyzeClasses(
        packages = "io.menuboard",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.OnlyProduction.class})
class ArchitectureTest {
    /** Leaves out what modules give to the tests of others, which comes in jars, and what is in {@code dev}. */
    static final class OnlyProduction implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar")
                    && !location.contains("/io/menuboard/local/")
                    && !location.contains("/io/menuboard/bench/");
        }
    }

    static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            entry("kernel", Set.of()),
            entry("access", Set.of("kernel")),
            entry("querydb", Set.of("kernel")),
            entry("graphql", Set.of("kernel", "access")),
            entry("messaging", Set.of("kernel", "querydb")),
            entry("tasks", Set.of("kernel", "access", "querydb", "graphql", "messaging")),
            entry("pricing", Set.of("kernel", "access", "querydb", "graphql", "messaging", "tasks")),
            entry("billing", Set.of("kernel", "access", "querydb", "graphql", "messaging", "tasks")),
            entry("favorites", Set.of("kernel", "access", "querydb", "graphql", "messaging", "tasks")),
            entry(
                    "webadmin",
                    Set.of(
                            "kernel",
                            "access",
                            "accounts",
                            "audit",
                            "querydb",
                            "messaging",
                            "pricing",
                            "tasks",
                            "billing",
                            "favorites")),
            entry("accounts", Set.of("kernel", "access", "querydb")),
            entry("audit", Set.of("kernel", "access", "querydb", "graphql")),
            entry(
                    "app",
                    Set.of(
                            "kernel",
                            "access",
                            "accounts",
                            "audit",
                            "querydb",
                            "graphql",
                            "messaging",
                            "pricing",
                            "tasks",
                            "billing",
                            "favorites",
                            "webadmin")));

    /** The arrows inside a module that is split: what a package uses of its own module. */
    static final Map<String, Set<String>> MAY_USE_INSIDE = Map.ofEntries(
            entry("kernel", Set.of()),
            entry("kernel.csv", Set.of("kernel")),
            entry("access", Set.of()),
            entry("access.http", Set.of("access")),
            entry("graphql.permissions", Set.of()),
            entry("graphql.conditional", Set.of()),
            entry("graphql.introspection", Set.of()),
            entry("graphql.streams", Set.of()),
            entry(
                    "graphql",
                    Set.of("graphql.permissions", "graphql.conditional", "graphql.introspection", "graphql.streams")),
            entry("querydb.requests", Set.of()),
            entry("querydb", Set.of("querydb.requests")),
            entry("querydb.audit", Set.of("querydb")),
            entry("querydb.coordination", Set.of("querydb")),
            entry("messaging", Set.of()),
            entry("messaging.feed", Set.of("messaging")),
            entry("tasks", Set.of()),
            entry("tasks.claims", Set.of("tasks")),
            entry("tasks.statistics", Set.of("tasks")),
            entry("tasks.updates", Set.of("tasks")),
            entry("tasks.workers", Set.of("tasks", "tasks.claims", "tasks.statistics")),
            entry("tasks.bulk", Set.of("tasks", "tasks.workers")),
            entry("pricing", Set.of()),
            entry("pricing.rules", Set.of("pricing")),
            entry("pricing.approvals", Set.of("pricing")),
            entry("pricing.revisions", Set.of("pricing")),
            entry("pricing.current", Set.of("pricing", "pricing.revisions")),
            entry("pricing.packs", Set.of("pricing", "pricing.current")),
            entry(
                    "pricing.subscriptions",
                    Set.of("pricing", "pricing.batches", "pricing.current", "pricing.revisions")),
            entry("pricing.batches", Set.of("pricing", "pricing.revisions")),
            entry("pricing.events", Set.of("pricing")),
            entry("pricing.webhooks", Set.of("pricing", "pricing.events")),
            entry("pricing.chunks", Set.of("pricing", "pricing.batches", "pricing.revisions")),
            entry(
                    "pricing.changes",
                    Set.of(
                            "pricing",
                            "pricing.rules",
                            "pricing.approvals",
                            "pricing.batches",
                            "pricing.chunks",
                            "pricing.revisions")),
            entry("pricing.updates", Set.of("pricing", "pricing.changes")),
            entry("pricing.imports", Set.of("pricing", "pricing.rules", "pricing.changes")),
            entry("billing.transactions", Set.of()),
            entry("billing.reports", Set.of("billing.transactions")),
            entry("webadmin.ui", Set.of()),
            entry("webadmin.ui.charts", Set.of()),
            entry("webadmin.ui.lists", Set.of("webadmin.ui")),
            entry("webadmin.ui.errors", Set.of("webadmin.ui")),
            entry("webadmin.forms", Set.of("webadmin.ui", "webadmin.ui.errors")),
            entry("webadmin.uploads", Set.of("webadmin.ui", "webadmin.ui.errors")),
            entry("webadmin.prices", Set.of("webadmin.ui", "webadmin.ui.lists", "webadmin.ui.charts")),
            entry("webadmin.tasks", Set.of("webadmin.ui", "webadmin.ui.lists", "webadmin.ui.charts")),
            entry("webadmin.changes", Set.of("webadmin.ui", "webadmin.ui.lists", "webadmin.prices", "webadmin.tasks")),
            entry(
                    "webadmin.imports",
                    Set.of(
                            "webadmin.ui",
                            "webadmin.ui.lists",
                            "webadmin.uploads",
                            "webadmin.changes",
                            "webadmin.tasks")),
            entry(
                    "webadmin.billing",
                    Set.of(
                            "webadmin.ui",
                            "webadmin.ui.lists",
                            "webadmin.uploads",
                            "webadmin.ui.charts",
                            "webadmin.tasks")),
            entry(
                    "webadmin.favorites",
                    Set.of("webadmin.ui", "webadmin.ui.lists", "webadmin.ui.charts", "webadmin.tasks")),
            entry("accounts", Set.of()),
            entry("accounts.oidc", Set.of("accounts")),
            entry("accounts.http", Set.of("accounts", "accounts.oidc")),
            entry("webadmin.accounts", Set.of("webadmin.ui", "webadmin.ui.lists")),
            entry("webadmin.audit", Set.of("webadmin.ui", "webadmin.ui.lists")),
            entry("webadmin.operations", Set.of("webadmin.ui", "webadmin.changes", "webadmin.tasks")),
            entry(
                    "webadmin.webhooks",
                    Set.of("webadmin.ui", "webadmin.ui.lists", "webadmin.changes", "webadmin.tasks")),
            entry("app.limits", Set.of()),
            entry("app", Set.of("app.limits")),
            entry("app.files", Set.of()),
            entry("app.queues", Set.of()));

    @ArchTest
    static final ArchRule modulesFollowTheMap = classes().should(new ArchCondition<>("use only modules in MAY_USE") {
        @Override
        public void check(JavaClass origin, ConditionEvents events) {
            for (var dependency : origin.getDirectDependenciesFromSelf()) {
                var target = dependency.getTargetClass();
                var ours = target.getPackageName().startsWith("io.menuboard.");
                if (ours
                        && !module(target).equals(module(origin))
                        && !MAY_USE.getOrDefault(module(origin), Set.of()).contains(module(target))) {
                    events.add(SimpleConditionEvent.violated(origin, dependency.getDescription()));
                }
            }
        }
    });

    @ArchTest
    static final ArchRule packagesFollowTheMap = classes()
            .should(new ArchCondition<>("use only packages in MAY_USE_INSIDE") {
                @Override
                public void check(JavaClass origin, ConditionEvents events) {
                    var mayUse = MAY_USE_INSIDE.getOrDefault(folder(origin), Set.of());
                    for (var dependency : origin.getDirectDependenciesFromSelf()) {
                        var target = dependency.getTargetClass();
                        if ((target.getPackageName() + '.').startsWith("io.menuboard." + module(origin) + '.')
                                && !folder(target).equals(folder(origin))
                                && !mayUse.contains(folder(target))) {
                            events.add(SimpleConditionEvent.violated(origin, dependency.getDescription()));
                        }
                    }
                }
            });

    @ArchTest
    static final ArchRule awsStaysInItsCorner = noClasses()
            .that(not(resideInAnyPackage("io.menuboard.querydb..", "io.menuboard.messaging.."))
                    .and(not(nameMatching("io\\.menuboard\\.[a-z.]+\\.\\$?(Dynamo|Sqs|Sns|EventBridge|S3)[^.]*"))))
            .should()
            .dependOnClassesThat(resideInAPackage("software.amazon.awssdk.."));

    @ArchTest
    static final ArchRule queuesStayInMessaging = noClasses()
            .that(not(resideInAnyPackage("io.menuboard.messaging..", "io.menuboard.app..")))
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                    "software.amazon.awssdk.services.sqs..", "software.amazon.awssdk.services.sns.."));

    /** Keys are names, which all may say; what is written of an item, and on which condition, is its store's. */
    @ArchTest
    static final ArchRule itemsStayInStores = noClasses()
            .that(not(resideInAnyPackage("io.menuboard.querydb..", "io.menuboard.messaging.."))
                    .and(not(nameMatching("io\\.menuboard\\.[a-z.]+\\.Dynamo[^.]*"))))
            .should()
            .dependOnClassesThat(nameMatching(
                    "io\\.menuboard\\.querydb\\.(Condition|Conditions|Expression|Item|Query|Update|Write)(\\$.*)?"));

    @ArchTest
    static final ArchRule pagesNeverTouchTheTable = noClasses()
            .that(not(resideInAnyPackage(
                    "io.menuboard.querydb..",
                    "io.menuboard.pricing..",
                    "io.menuboard.tasks..",
                    "io.menuboard.billing..",
                    "io.menuboard.favorites..",
                    "io.menuboard.accounts..",
                    "io.menuboard.app..")))
            .should()
            .dependOnClassesThat(nameMatching("io\\.menuboard\\.querydb\\.(QueryDb|Item|Key|Query|Write|Save)"));

    @ArchTest
    static final ArchRule theKitOfPagesKnowsNoFeature = noClasses()
            .that(resideInAnyPackage("io.menuboard.webadmin.ui..", "io.menuboard.planted"))
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "io.menuboard.audit..",
                            "io.menuboard.messaging..",
                            "io.menuboard.pricing..",
                            "io.menuboard.tasks..",
                            "io.menuboard.billing..",
                            "io.menuboard.favorites..")
                    .or(resideInAPackage("io.menuboard.webadmin..")
                            .and(not(resideInAPackage("io.menuboard.webadmin.ui..")))));

    @ArchTest
    static final ArchRule graphQlStaysInItsCorner = noClasses()
            .that(not(resideInAPackage("io.menuboard.graphql.."))
                    .and(not(nameMatching(".*(GraphQl|Input|Factory)(\\$.*)?"))))
            .should()
            .dependOnClassesThat(resideInAPackage("graphql.."));

    @ArchTest
    static final ArchRule openIdConnectStaysInItsCorner = noClasses()
            .that(not(resideInAPackage("io.menuboard.accounts.oidc")))
            .should()
            .dependOnClassesThat(resideInAPackage("com.nimbusds.."));

    @ArchTest
    static final ArchRule micronautStaysInItsCorner = noClasses()
            .that(not(resideInAnyPackage(
                            "io.menuboard.app",
                            "io.menuboard.app.limits",
                            "io.menuboard.graphql",
                            "io.menuboard.graphql.streams",
                            "io.menuboard.access.http",
                            "io.menuboard.accounts.http",
                            "io.menuboard.webadmin.."))
                    .and(not(nameMatching(".*(Factory|Config|Controller)(\\$.*)?")))
                    .and(not(nameMatching(".*\\$(Definition|Introspection|Intercepted).*"))))
            .should()
            .dependOnClassesThat(resideInAPackage("io.micronaut.."));

    @ArchTest
    static final ArchRule adaptersArePackagePrivate = classes()
            .that(
                    nameMatching(
                            "io\\.menuboard\\.(pricing|tasks|billing|favorites|audit|planted)\\.([a-z]+\\.)*[^.$]*(GraphQl|Factory|Config)"))
            .should()
            .bePackagePrivate();

    @ArchTest
    static final ArchRule storesServeTheirContext = classes()
            .should(new ArchCondition<>("use Dynamo* of their own alone") {
                @Override
                public void check(JavaClass origin, ConditionEvents events) {
                    for (var dependency : origin.getDirectDependenciesFromSelf()) {
                        var target = dependency.getTargetClass();
                        if (target.getFullName().matches("io\\.menuboard\\..*\\.Dynamo[^.]*")
                                && !module(target).equals(module(origin))) {
                            events.add(SimpleConditionEvent.violated(origin, dependency.getDescription()));
                        }
                    }
                }
            });

    @ArchTest
    static final ArchRule timeComesFromAClock = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(LocalDate.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule onlyFactoriesChooseTheClock = noClasses()
            .that(not(nameMatching(".*Factory")))
            .should()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .callMethod(Clock.class, "systemDefaultZone");

    /** Who acts is decided where requests come in; parts of the system say so, by {@link Actor#system}. */
    @ArchTest
    static final ArchRule actorsComeFromAccess = noClasses()
            .that(not(resideInAnyPackage("io.menuboard.kernel", "io.menuboard.access")))
            .should()
            .callConstructor(Actor.class, Actor.Kind.class, String.class, Actor.Source.class)
            .orShould()
            .callConstructor(Actor.class, Actor.Kind.class, String.class, String.class, Actor.Source.class);

    @ArchTest
    static final ArchRule namesSayWhatAClassIsFor = noClasses()
            .should()
            .haveNameMatching(
                    ".*\\.([^.]*(Util|Utils|Helper|Manager|Impl)|(Default|Abstract)[A-Z][^.$]*|I[A-Z][a-z][^.$]*Repository)");

    @ArchTest
    static final ArchRule nothingIsInjectedIntoFields = noFields().should().beAnnotatedWith(Inject.class);

    @Test
    void everyRuleRejectsThePlantedClasses() {
        var planted = new ClassFileImporter().importPackages("io.menuboard.planted");
        for (var rule : List.of(
                modulesFollowTheMap,
                packagesFollowTheMap,
                awsStaysInItsCorner,
                queuesStayInMessaging,
                itemsStayInStores,
                pagesNeverTouchTheTable,
                theKitOfPagesKnowsNoFeature,
                graphQlStaysInItsCorner,
                openIdConnectStaysInItsCorner,
                micronautStaysInItsCorner,
                adaptersArePackagePrivate,
                storesServeTheirContext,
                timeComesFromAClock,
                onlyFactoriesChooseTheClock,
                actorsComeFromAccess,
                namesSayWhatAClassIsFor,
                nothingIsInjectedIntoFields)) {
            assertThat(rule.evaluate(planted).hasViolation())
                    .as(rule.getDescription())
                    .isTrue();
        }
    }

    @ArchTest
    static void theRulesSeeEveryModule(JavaClasses all) {
        assertThat(all.stream().map(ArchitectureTest::module).distinct())
                .containsExactlyInAnyOrderElementsOf(MAY_USE.keySet());
        assertThat(foldersOfSplitModules(all)).isEqualTo(MAY_USE_INSIDE.keySet());
    }

    private static Set<String> foldersOfSplitModules(JavaClasses all) {
        var folders =
                all.stream().collect(groupingBy(ArchitectureTest::module, mapping(ArchitectureTest::folder, toSet())));
        return folders.values().stream()
                .filter(ofModule -> ofModule.size() > 1)
                .flatMap(Set::stream)
                .collect(toSet());
    }

    /** The package as the maps name it. */
    private static String folder(JavaClass c) {
        return c.getPackageName().substring("io.menuboard.".length());
    }

    static String module(JavaClass c) {
        return c.getPackageName().split("\\.", -1)[2];
    }
}
