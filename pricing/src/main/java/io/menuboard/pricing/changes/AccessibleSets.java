package io.menuboard.pricing.changes;

import io.menuboard.access.Access;
import io.menuboard.access.CurrentAccess;
import io.menuboard.access.Permission;
import io.menuboard.access.Scope.Kind;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.chunks.ChangeChunk;
import io.menuboard.querydb.Consistency;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Change sets as somebody may see and change them. Who reads prices of all stores sees every set; who reads those of some
 * sees the sets that they drafted, and those that touch these stores alone. Thread-safe.
 *
 * @param stored all of them
 * @param lines of all of them
 * @param current what somebody may do when something is done later for them
 */
record AccessibleSets(DynamoChangeSets stored, DynamoChangeLines lines, CurrentAccess current) {

    /** True where it is no secret that there is this set, what it is about and what it has found. */
    static boolean isVisible(Access access, ChangeSet set) {
        return isDraftedBy(access, set) || areOfSome(access.stores(Permission.PRICES_READ), set);
    }

    private static boolean isDraftedBy(Access access, ChangeSet set) {
        var id = access.principal().id();
        return id != null
                && id.equals(set.actor().id())
                && access.principal().kind() == set.actor().kind();
    }

    /** @param readable empty for all stores */
    private static boolean areOfSome(Optional<Set<String>> readable, ChangeSet set) {
        if (readable.isEmpty()) {
            return true;
        }
        var touched = touched(set);
        return !touched.isEmpty() && touched.stream().map(StoreId::value).allMatch(readable.get()::contains);
    }

    private static Set<StoreId> touched(ChangeSet set) {
        var summary = set.summary();
        return summary == null ? Set.of() : summary.touched();
    }

    /** The set, if it can be seen; strongly consistent, one read unit. */
    Optional<ChangeSet> find(Access access, ChangeSetId id) {
        access.require(Permission.PRICES_READ);
        return stored.find(id, Consistency.STRONG).filter(set -> isVisible(access, set));
    }

    /** Those of many that can be seen; strongly consistent, one read unit each. */
    List<ChangeSet> findAll(Access access, List<ChangeSetId> ids) {
        access.require(Permission.PRICES_READ);
        return stored.findAll(ids).stream()
                .filter(set -> isVisible(access, set))
                .toList();
    }

    /**
     * The set, if it can be seen, for who may do that with all of its stores, and before there is a preview with all that there
     * are, unless they have drafted it. Reads its chunks too, where that is for some stores only, and it is not known which ones
     * the set touches.
     *
     * @throws io.menuboard.access.Denied where it can be seen, and has a store that the permission is not for; or without it
     */
    Optional<ChangeSet> find(Access access, Permission permission, ChangeSetId id) {
        access.require(permission);
        var found = find(access, id);
        found.ifPresent(set -> require(access, permission, set));
        return found;
    }

    /** As {@link #find(Access, Permission, ChangeSetId)} to draft, but that who drafted the set needs it for no store of it. */
    Optional<ChangeSet> findToDraft(Access access, ChangeSetId id) {
        access.require(Permission.PRICES_DRAFT);
        var found = find(access, id);
        found.filter(set -> !isDraftedBy(access, set)).ifPresent(set -> require(access, Permission.PRICES_DRAFT, set));
        return found;
    }

    private void require(Access access, Permission permission, ChangeSet set) {
        if (isOfUnknownStores(access, set)) {
            access.requireForAll(permission);
        }
        if (access.isForAll(permission)) {
            return;
        }
        try (var touched = stores(set)) {
            touched.forEach(store -> access.require(permission, Kind.STORES, store.value()));
        }
    }

    /** True where the permission is for all stores of the set, as {@link #find(Access, Permission, ChangeSetId)} asks. */
    boolean isPermitted(Access access, Permission permission, ChangeSet set) {
        if (access.isForAll(permission) || isOfUnknownStores(access, set)) {
            return access.isForAll(permission);
        }
        try (var touched = stores(set)) {
            return access.may(permission)
                    && touched.allMatch(store -> access.may(permission, Kind.STORES, store.value()));
        }
    }

    /** True for who may move the set to another time: what was approved for its time, who could have approved it (ADR 31). */
    boolean mayMove(Access access, ChangeSet set) {
        return isPermitted(access, Permission.PRICES_APPLY, set)
                && (set.approval() == null || isPermitted(access, Permission.PRICES_APPROVE, set));
    }

    /**
     * The action's permission, as far as one can tell without a read: for all stores that the set is known to touch.
     *
     * @throws io.menuboard.access.Denied without it
     */
    static void require(Access access, ChangeSetAction action, ChangeSet set) {
        var permission = action.permission();
        access.require(permission);
        if (needsStores(access, action, set)) {
            if (isOfUnknownStores(access, set)) {
                access.requireForAll(permission);
            }
            touched(set).forEach(store -> access.require(permission, Kind.STORES, store.value()));
        }
    }

    /** True where {@link #require(Access, ChangeSetAction, ChangeSet)} stops nobody. */
    static boolean mayBePermitted(Access access, ChangeSetAction action, ChangeSet set) {
        var permission = action.permission();
        if (!needsStores(access, action, set) || access.isForAll(permission)) {
            return access.may(permission);
        }
        return access.may(permission)
                && !isOfUnknownStores(access, set)
                && touched(set).stream().allMatch(store -> access.may(permission, Kind.STORES, store.value()));
    }

    private static boolean needsStores(Access access, ChangeSetAction action, ChangeSet set) {
        return action != ChangeSetAction.PREVIEW || !isDraftedBy(access, set);
    }

    /** True for somebody else's set that nobody has previewed yet, which may be for any store. */
    private static boolean isOfUnknownStores(Access access, ChangeSet set) {
        return set.data().preview() == null && !isDraftedBy(access, set);
    }

    private Stream<StoreId> stores(ChangeSet set) {
        var touched = touched(set);
        return touched.isEmpty() ? written(set) : touched.stream();
    }

    /** Stores of lines that applying the set writes, each once, as they are consumed. */
    Stream<StoreId> written(ChangeSet set) {
        return set.data().preview() == null
                ? Stream.empty()
                : lines.chunks(set).map(ChangeChunk::store).distinct();
    }

    /**
     * The access to preview a set with: who drafted it sees whatever is found, and so nothing is looked at but what they may read, too.
     * Where they read all prices, or none any more, that is left to who previews. One read unit where that is somebody else.
     */
    Access toPreview(Access access, ChangeSet set) {
        if (set.actor().id() == null || isDraftedBy(access, set)) {
            return access;
        }
        return now(set.actor())
                .stores(Permission.PRICES_READ)
                .filter(readable -> !readable.isEmpty())
                .map(access::within)
                .orElse(access);
    }

    /** What somebody may do now who asked for something before. */
    Access now(Actor actor) {
        return current.of(actor);
    }
}
