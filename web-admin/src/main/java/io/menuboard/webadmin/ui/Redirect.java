package io.menuboard.webadmin.ui;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import java.net.URI;

/** Answers that lead the browser to another page with GET (303), so that reloading it sends no form again. */
public final class Redirect {
    private Redirect() {}

    public static MutableHttpResponse<?> to(Link link) {
        return HttpResponse.seeOther(URI.create(link.toString()));
    }
}
