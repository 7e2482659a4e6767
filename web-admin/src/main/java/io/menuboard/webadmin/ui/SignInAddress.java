package io.menuboard.webadmin.ui;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Where people sign in, and where they go then. */
public final class SignInAddress {
    public static final String PATH = "/sign-in";
    private static final String START = "/";

    private SignInAddress() {}

    /** Leads back to an address of this site. */
    public static Link leadingTo(String address) {
        return Link.to(PATH.substring(1)).with("to", local(address));
    }

    /** The path and query of an address, and the start page for one that is none, or leads to another site. */
    public static String local(@Nullable String address) {
        try {
            var uri = new URI(address == null ? "" : address);
            var path = uri.getRawPath();
            if (path == null
                    || path.equals("/")
                    || !path.startsWith("/")
                    || path.startsWith("//")
                    || path.startsWith(PATH)) {
                return START;
            }
            return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
        } catch (URISyntaxException _) {
            return START;
        }
    }
}
