package io.menuboard.webadmin.ui;

import io.menuboard.access.http.OpenToAll;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.util.Optional;

/** Serves {@link Assets}. No login may ever stand before it: an error page needs its styles too. */
@OpenToAll
@Controller("/assets")
final class AssetsController {
    private final Assets assets;

    AssetsController(Assets assets) {
        this.assets = assets;
    }

    /**
     * An asset. While instances of two releases run side by side, a page of one may ask the other; that one answers with
     * what it has and lets nobody keep it.
     */
    @Get(uri = "/{version}/{name}", produces = MediaType.ALL)
    Optional<HttpResponse<byte[]>> asset(String version, String name) {
        return assets.find(name).map(asset -> HttpResponse.ok(asset.content())
                .header(HttpHeaders.CONTENT_TYPE, asset.contentType())
                .header("X-Content-Type-Options", "nosniff")
                .header(
                        HttpHeaders.CACHE_CONTROL,
                        asset.version().equals(version) ? "public, max-age=31536000, immutable" : "no-cache"));
    }
}
