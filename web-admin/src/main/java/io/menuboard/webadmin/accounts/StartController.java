package io.menuboard.webadmin.accounts;

import io.menuboard.access.Access;
import io.menuboard.access.http.SignedIn;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.Navigation;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Redirect;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;

/** Where everybody begins: leads to the first part of the site that they may open, or to their own account where there is none. */
@SignedIn
@Controller
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class StartController {
    private final Navigation navigation;

    StartController(Navigation navigation) {
        this.navigation = navigation;
    }

    /** Never kept: it leads elsewhere for another person, and once roles have changed. */
    @Get
    HttpResponse<?> start(Access access) {
        var start = navigation.start(access.principal()).orElseGet(() -> Link.to("account"));
        return Redirect.to(start).header(HttpHeaders.CACHE_CONTROL, "no-store");
    }
}
