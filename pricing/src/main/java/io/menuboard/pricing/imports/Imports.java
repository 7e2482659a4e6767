package io.menuboard.pricing.imports;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.kernel.Actor;
import io.menuboard.kernel.InvalidInput;
import io.menuboard.kernel.Page;
import io.menuboard.kernel.PageRequest;
import io.menuboard.pricing.ChangeSetId;
import io.menuboard.pricing.Stores;
import io.menuboard.pricing.changes.ChangeSetDrafts;
import io.menuboard.pricing.changes.ImportId;
import io.menuboard.querydb.ConditionFailed;
import java.time.Clock;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Use cases of files with stores and prices. Thread-safe.
 *
 * <p>Every row stands for itself: good ones go in, bad ones are reported, and importing a file again changes nothing
 * that is there already. So an import that ended early is repeated by importing the same files again.
 *
 * <p>Stores go in as they are read. Prices change in one way only: what a file of them would change becomes the draft of a
 * change set, which is applied like any other. Of a file that was not read to its end, or of which the table failed to take
 * rows, there is no draft, and the import has failed.
 *
 * <p>Imports are seen by who began them, and by who reads prices of all stores. For who may import for some stores alone there
 * are no others: rows of others are rejected as those of unknown stores.
 */
public final class Imports {
    /** Characters of a file's name, which a reason names too. */
    private static final int LONGEST_NAME = 100;

    private final Stores stores;
    private final ChangeSetDrafts drafts;
    private final DynamoImports imports;
    private final RandomGenerator random;
    private final Clock clock;
    private final ImportConfig config;
    private final ImportLife life;

    Imports(Stores stores, ChangeSetDrafts drafts, DynamoImports imports, RandomGenerator random, ImportLife life) {
        this.stores = stores;
        this.drafts = drafts;
        this.imports = imports;
        this.random = random;
        this.clock = life.clock();
        this.config = life.config();
        this.life = life;
    }

    /**
     * Makes an import known, so that it can be seen, before any of it is read.
     *
     * @param files one of each kind at most
     * @throws InvalidInput {@code NO_FILE} or {@code FILE_TWICE}
     */
    public ImportStatus begin(Access access, List<ImportFile> files) {
        return begin(access, ImportId.random(random), files).orElseThrow();
    }

    /** As {@link #begin(Access, List)}, under that id; empty where there is one already. */
    public Optional<ImportStatus> begin(Access access, ImportId id, List<ImportFile> files) {
        return begin(access, id, files, null);
    }

    /**
     * The same of uploads: waits as long as it takes until {@link #runUploads} is called, in whatever instance.
     *
     * @param upload them, and their task; null where whoever begins it has the files
     */
    Optional<ImportStatus> begin(
            Access access, ImportId id, List<ImportFile> files, ImportStatus.@Nullable Upload upload) {
        check(access, files);
        return create(id, access.actor(), files, upload);
    }

    /** The import of uploads, which whoever asked for it may have died before it was known. */
    ImportStatus known(ImportId id, List<ImportFile> files, ImportStatus.Upload upload, Actor by) {
        return create(id, by, files, upload)
                .or(() -> imports.find(id).map(this::alive))
                .orElseThrow();
    }

    /** Refuses what {@link #begin} refuses. */
    static void check(Access access, List<ImportFile> files) {
        files.forEach(file -> access.require(file.kind().permission()));
        if (files.size() > 1 && files.stream().anyMatch(file -> file.kind() == ImportKind.CHANGES)) {
            throw new InvalidInput("FILE_TWICE", "changes", "must be the only file of an import");
        }
        var kinds = EnumSet.noneOf(ImportKind.class);
        for (var file : files) {
            if (!kinds.add(file.kind())) {
                throw new InvalidInput("FILE_TWICE", file.kind().label(), "must be one file, not several");
            }
        }
        if (files.isEmpty()) {
            throw InvalidInput.sentence("NO_FILE", "stores", "stores, prices or both must be given");
        }
    }

    private Optional<ImportStatus> create(
            ImportId id, Actor by, List<ImportFile> files, ImportStatus.@Nullable Upload upload) {
        var now = clock.instant();
        var status = new ImportStatus(
                id,
                by,
                now,
                now,
                ImportState.WAITING,
                null,
                inOrder(files).map(ImportFileStatus::of).toList(),
                0,
                null,
                upload,
                0,
                0);
        try {
            imports.create(status);
            return Optional.of(status);
        } catch (ConditionFailed _) {
            return Optional.empty();
        }
    }

    /**
     * Imports the files that {@link #begin} was told of, stores before prices, and returns how that ended. Takes as long
     * as it takes. The import shows as failed where this method throws, and as interrupted where the thread is
     * interrupted.
     *
     * <p>Each row of a store costs 0.5 read units and about 30 write units. Rows of prices cost half a read unit for every
     * 4 KB of prices of one store and channel that come together; those that change a price one write unit and about 0.1, and
     * first prices of a store about 0.01.
     *
     * @param access that whoever began it has now
     * @param about what the change set that is drafted is called
     * @throws InvalidInput {@code ALREADY_RUN} unless it is waiting
     */
    public ImportStatus run(
            Access access, ImportId id, List<ImportFile> files, ImportAbout about, ImportListener listener) {
        files.forEach(file -> access.require(file.kind().permission()));
        ImportStatus begun;
        try {
            begun = imports.claim(id, clock.instant());
        } catch (ConditionFailed e) {
            throw new InvalidInput("ALREADY_RUN", "import", "must be waiting, which " + id + " is not");
        }
        return read(access, begun, files, about, listener);
    }

    /**
     * Imports uploads, as {@link #run}, also where another instance has begun that: from the beginning again, unless all that
     * it had left to do was to say so. Where whoever began it may not do that any more, it ends before anything is read: as
     * refused, or as failed where another attempt may have written stores. What ended before stays as it is. Where the thread is
     * interrupted, or the table fails, the import is left running, for whoever takes it over.
     *
     * @throws io.menuboard.querydb.QueryDbException where its end was not written; it shows as running then
     * @throws ConditionFailed where another attempt has taken it over
     */
    ImportStatus runUploads(
            Access access, ImportId id, List<ImportFile> files, ImportAbout about, ImportListener listener) {
        ImportStatus begun;
        try {
            begun = imports.takeOver(id, clock.instant());
        } catch (ConditionFailed e) {
            return imports.find(id).orElseThrow(() -> e);
        }
        var drafted = begun.changeSet();
        // What whoever began it may do now is no matter: the draft is there.
        if (drafted != null && drafts.isDrafted(ImportLife.SYSTEM, drafted)) {
            try (var run = new ImportRun(begun, imports, clock, config, listener)) {
                return run.finish(drafted);
            }
        }
        if (!files.stream().allMatch(file -> access.may(file.kind().permission()))) {
            try (var run = new ImportRun(begun, imports, clock, config, listener)) {
                return run.refuse("Whoever began this import may not import such a file any more (PERMISSION_DENIED).");
            }
        }
        if (begun.attempt() > 1) {
            imports.rejections().forget(id);
        }
        return read(access, begun.fromTheBeginning(), files, about, listener);
    }

    private ImportStatus read(
            Access access, ImportStatus begun, List<ImportFile> files, ImportAbout about, ImportListener listener) {
        try (var run = new ImportRun(begun, imports, clock, config, listener)) {
            if (begun.attempt() > 1) {
                run.beginAgain();
            }
            ChangeSetId drafted = null;
            for (var file : inOrder(files).toList()) {
                if (file.kind() == ImportKind.STORES) {
                    if (!run.file(file, new ImportStores(access, stores))) {
                        break;
                    }
                    continue;
                }
                var name = name(file.name());
                var draft = drafts.importing(
                        access,
                        Objects.requireNonNullElse(about.name(), name),
                        Objects.requireNonNullElse(about.reason(), "Import of " + name),
                        file.kind() == ImportKind.CHANGES ? about.effectiveDate() : null,
                        begun.id());
                var isRead = file.kind() == ImportKind.CHANGES
                        ? run.file(file, new ImportChanges(access, stores, draft))
                        : run.file(file, new ImportPrices(access, stores, draft));
                if (!isRead) {
                    break;
                }
                if (draft.written() > 0) {
                    run.draft(draft);
                    drafted = draft.id();
                }
            }
            return run.finish(drafted);
        }
    }

    /** Name of the set: the file's name, as much of it as there is room for, without what would turn text around. */
    private static String name(String file) {
        var shown = file.codePoints()
                .filter(letter -> !Character.isISOControl(letter) && Character.getType(letter) != Character.FORMAT)
                .limit(LONGEST_NAME)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return shown.isBlank() ? "Prices" : shown;
    }

    /**
     * The import with this id, if it is to be seen; strongly consistent: one read unit, and one for the task of an upload that has
     * been silent for longer than {@code menuboard.import.interrupted-after}.
     */
    public Optional<ImportStatus> find(Access access, ImportId id) {
        access.require(Permission.PRICES_READ);
        return imports.find(id).filter(status -> isVisible(access, status)).map(this::alive);
    }

    private static boolean isVisible(Access access, ImportStatus status) {
        var id = access.principal().id();
        return access.isForAll(Permission.PRICES_READ)
                || (id != null
                        && id.equals(status.actor().id())
                        && access.principal().kind() == status.actor().kind());
    }

    /**
     * Those of many that there are and that are to be seen, strongly consistent, read together: as {@link #find} each.
     *
     * @param ids all different
     */
    public List<ImportStatus> findAll(Access access, List<ImportId> ids) {
        access.require(Permission.PRICES_READ);
        var found = imports.findAll(ids).stream()
                .filter(status -> isVisible(access, status))
                .toList();
        return found.stream().map(life.of(found)).toList();
    }

    /**
     * Imports that are to be seen, the last one first; eventually consistent, 0.5 read units for each 4 KB, about 8 imports, also
     * for those that it reads past, and one for the task of each upload that has been silent for long.
     */
    public Page<ImportStatus> list(Access access, PageRequest page) {
        access.require(Permission.PRICES_READ);
        var found = access.isForAll(Permission.PRICES_READ)
                ? imports.list(page)
                : imports.list(status -> isVisible(access, status), page);
        return found.map(life.of(found.nodes()));
    }

    /**
     * Rejections of the attempt that read it, in the order of files and rows, as far as it is kept, of an import that is to be seen. Read
     * while the stream is.
     */
    public Stream<ImportRejection> rejections(Access access, ImportStatus status) {
        access.require(Permission.PRICES_READ);
        return isVisible(access, status) ? imports.rejections().of(status) : Stream.empty();
    }

    /**
     * The same with pages: half a read unit for every 4 KB, about 20 rejections.
     *
     * @throws InvalidInput {@code INVALID_CURSOR}
     */
    public Page<ImportRejection> rejections(Access access, ImportStatus status, PageRequest page) {
        access.require(Permission.PRICES_READ);
        return isVisible(access, status) ? imports.rejections().of(status, page) : Page.empty();
    }

    private static Stream<ImportFile> inOrder(List<ImportFile> files) {
        return files.stream().sorted(Comparator.comparing(ImportFile::kind));
    }

    private ImportStatus alive(ImportStatus status) {
        return life.of(List.of(status)).apply(status);
    }
}
