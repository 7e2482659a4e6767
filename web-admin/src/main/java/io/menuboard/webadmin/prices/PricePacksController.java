package io.menuboard.webadmin.prices;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.OpenToAll;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.kernel.Actor;
import io.menuboard.pricing.Channel;
import io.menuboard.pricing.StoreId;
import io.menuboard.pricing.packs.PackFormat;
import io.menuboard.pricing.packs.PackKeys;
import io.menuboard.pricing.packs.PricePack;
import io.menuboard.pricing.packs.PricePacks;
import io.menuboard.webadmin.ui.FileDownload;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Redirect;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Price packs, as tills fetch them and people save them. A pack has an address that never has other bytes (ADR 35). */
@RequiresPermission(Permission.PRICES_READ)
@Controller("/price-packs")
@Produces(MediaType.ALL)
@ExecuteOn(PageThreads.NAME)
final class PricePacksController {
    static final String PATH = "price-packs";

    /** Detached signature of the bytes of the answer, before they were compressed. */
    static final String SIGNATURE = "Price-Pack-Signature";

    /** How long it may take until who asks again is told of another pack. */
    private static final long MAX_AGE_SECONDS = 60;

    private static final String FOR_EVER = "private, max-age=31536000, immutable";

    private final PricePacks packs;
    private final PackKeys keys;

    PricePacksController(PricePacks packs, PackKeys keys) {
        this.packs = packs;
        this.keys = keys;
    }

    /** Public keys of signatures. */
    @OpenToAll
    @Get(uri = "/keys.json", produces = MediaType.APPLICATION_JSON)
    HttpResponse<String> keys() {
        return HttpResponse.ok(keys.json()).header(HttpHeaders.CACHE_CONTROL, "public, max-age=" + MAX_AGE_SECONDS);
    }

    /**
     * Leads to the pack of this hour: in the format that the address ends with, or else the one that the client accepts. An end that is
     * part of the name of a channel is no format.
     */
    @Get("/{store}/{channel}")
    HttpResponse<?> current(HttpRequest<?> request, Access access, String store, String channel) {
        var asked = Stream.of(PackFormat.values())
                .filter(endOf(channel))
                .filter(_ -> !packs.isChannel(access, new StoreId(store), channel))
                .findFirst()
                .map(format -> new Asked(withoutEnd(channel, format), format))
                .orElseGet(() -> new Asked(channel, accepted(request)));
        var pack = packs.current(access, new StoreId(store), new Channel(asked.channel()), asked.format())
                .orElseThrow(() -> StoreHeader.notFound(store));
        var age = Math.min(MAX_AGE_SECONDS, packs.left(access, pack).toSeconds());
        return Redirect.to(Link.to(PATH, store, asked.channel(), pack.name()))
                .header(HttpHeaders.ETAG, tag(pack))
                .header(HttpHeaders.CACHE_CONTROL, "private, max-age=" + age)
                .header(HttpHeaders.VARY, "Accept, Authorization, Cookie");
    }

    private record Asked(String channel, PackFormat format) {}

    private static Predicate<PackFormat> endOf(String text) {
        return format -> text.endsWith("." + format.extension());
    }

    private static String withoutEnd(String text, PackFormat format) {
        return text.substring(0, text.length() - format.extension().length() - 1);
    }

    private static PackFormat accepted(HttpRequest<?> request) {
        return request.accept().stream()
                        .map(MediaType::getName)
                        .filter(name -> name.equals(MediaType.APPLICATION_JSON) || name.equals(MediaType.TEXT_CSV))
                        .findFirst()
                        .filter(MediaType.TEXT_CSV::equals)
                        .isPresent()
                ? PackFormat.CSV
                : PackFormat.JSON;
    }

    /** The pack of that name, for as long as it is the one of this hour. */
    @Get("/{store}/{channel}/{name}")
    HttpResponse<byte[]> pack(HttpRequest<?> request, Access access, String store, String channel, String name) {
        var format = Stream.of(PackFormat.values())
                .filter(endOf(name))
                .findFirst()
                .orElseThrow(() -> NotFound.of("name", "A price pack ends with .json or .csv."));
        var pack = packs.named(access, new StoreId(store), new Channel(channel), format, name)
                .orElseThrow(() -> NotFound.of(
                        "name",
                        "There is no such price pack, or not any more: " + Link.to(PATH, store, channel)
                                + " leads to the one of this hour."));
        return kept(pack, names(request, tag(pack)) ? HttpResponse.notModified() : file(access, pack));
    }

    private MutableHttpResponse<byte[]> file(Access access, PricePack pack) {
        var answer = HttpResponse.ok(pack.content())
                .header(HttpHeaders.CONTENT_TYPE, pack.format().mediaType())
                .header(SIGNATURE, packs.signature(access, pack));
        return access.principal().kind() == Actor.Kind.USER
                ? answer.header(HttpHeaders.CONTENT_DISPOSITION, FileDownload.disposition(pack.name()))
                : answer;
    }

    private static MutableHttpResponse<byte[]> kept(PricePack pack, MutableHttpResponse<byte[]> answer) {
        return answer.header(HttpHeaders.ETAG, tag(pack))
                .header(HttpHeaders.CACHE_CONTROL, FOR_EVER)
                .header(HttpHeaders.VARY, "Authorization, Cookie");
    }

    private static String tag(PricePack pack) {
        return '"' + pack.hash() + '"';
    }

    /** Weak comparison, as RFC 9110, section 13.1.2, has it. */
    private static boolean names(HttpRequest<?> request, String tag) {
        var tags = request.getHeaders().get(HttpHeaders.IF_NONE_MATCH);
        return tags != null
                && Arrays.stream(tags.split(",", -1))
                        .map(String::strip)
                        .anyMatch(one -> one.equals("*") || one.equals(tag) || one.equals("W/" + tag));
    }
}
