package io.menuboard.webadmin.ui;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.Principal;
import io.menuboard.access.Scope.Kind;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.Actor.Source;
import io.micronaut.context.BeanProvider;
import io.micronaut.core.util.SupplierUtil;
import io.micronaut.http.HttpMethod;
import io.micronaut.web.router.Router;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The parts of the site that pages lead to at their top. What it takes to open one, its route alone says. Thread-safe. */
public final class Navigation {
    private static final List<Part> PARTS = List.of(
            new Part("stores", "Stores"),
            new Part("products", "Products"),
            new Part("changes", "Changes"),
            new Part("billing", "Billing"),
            new Part("favorites", "Favorites"),
            new Part("imports", "Imports"),
            new Part("tasks", "Tasks"),
            new Part("operations", "Operations"),
            new Part("webhooks", "Webhooks"),
            new Part("audit", "Audit"),
            new Part("users", "Users"));

    private final Supplier<List<Entry>> entries;

    Navigation(BeanProvider<Router> router) {
        entries = SupplierUtil.memoized(
                () -> PARTS.stream().flatMap(part -> entry(router.get(), part)).toList());
    }

    /**
     * A part of the site.
     *
     * @param section as pages of it name it
     */
    record Part(String section, String label) {
        public String href() {
            return "/" + section;
        }
    }

    private record Entry(Part part, Optional<Permission> permission) {}

    private static Stream<Entry> entry(Router router, Part part) {
        return router.route(HttpMethod.GET, part.href()).stream()
                .map(route -> new Entry(
                        part, route.getAnnotationMetadata().enumValue(RequiresPermission.class, Permission.class)));
    }

    /** Those that the principal may open, in the order in which they are shown. */
    List<Part> of(Principal principal) {
        var access = new Access(principal, Source.PAGE);
        return entries.get().stream()
                .filter(entry -> entry.permission
                        .map(permission -> opens(access, permission))
                        .orElse(true))
                .map(Entry::part)
                .toList();
    }

    /** Tasks are of no store: whoever may read those of some stores sees none. */
    private static boolean opens(Access access, Permission permission) {
        return permission == Permission.TASKS_READ
                ? access.only(permission, Kind.WORKER)
                        .map(workers -> !workers.isEmpty())
                        .orElse(true)
                : access.may(permission);
    }

    /** The first of those; empty for who may open none. */
    public Optional<Link> start(Principal principal) {
        return of(principal).stream().findFirst().map(part -> Link.to(part.section));
    }
}
