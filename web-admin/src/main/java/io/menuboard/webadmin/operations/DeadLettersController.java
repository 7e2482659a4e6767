package io.menuboard.webadmin.operations;

import io.menuboard.access.Access;
import io.menuboard.access.Permission;
import io.menuboard.access.http.RequiresPermission;
import io.menuboard.messaging.DeadLetters;
import io.menuboard.pricing.Pricing;
import io.menuboard.webadmin.ui.Link;
import io.menuboard.webadmin.ui.NotFound;
import io.menuboard.webadmin.ui.PageThreads;
import io.menuboard.webadmin.ui.Redirect;
import io.menuboard.webadmin.ui.Views;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages that failed too often, and the way to send them back. */
@RequiresPermission(Permission.OPERATIONS_READ)
@Controller("/dead-letters")
@Produces(MediaType.TEXT_HTML)
@ExecuteOn(PageThreads.NAME)
final class DeadLettersController {
    /** Most of each queue: whoever mends the reason needs examples, not all of them. */
    private static final int SHOWN = 20;

    private static final String REDRIVEN = "redriven";

    private final @Nullable DeadLetters letters;
    private final Pricing pricing;
    private final Views views;

    /** @param letters null where no queues are configured */
    DeadLettersController(@Nullable DeadLetters letters, Pricing pricing, Views views) {
        this.letters = letters;
        this.pricing = pricing;
        this.views = views;
    }

    @Get
    HttpResponse<?> list(@Nullable String redriven) {
        var now = pricing.now();
        var queues = letters == null
                ? List.<DeadLettersPage.Queue>of()
                : letters.queues().stream()
                        .map(queue -> DeadLettersPage.Queue.of(
                                queue, queue.deadLetters() == 0 ? List.of() : letters.peek(queue.name(), SHOWN), now))
                        .toList();
        var sentBack = queues.stream()
                .map(DeadLettersPage.Queue::name)
                .filter(name -> name.equals(redriven))
                .findFirst()
                .orElse(null);
        return views.page("operations/dead-letters", new DeadLettersPage(letters != null, sentBack, queues));
    }

    /** Asks before it acts. */
    @RequiresPermission(Permission.OPERATIONS_ACT)
    @Get("/{queue}/redrive")
    HttpResponse<?> ask(String queue) {
        return views.page("operations/redrive", RedrivePage.of(require(queue)));
    }

    @RequiresPermission(Permission.OPERATIONS_ACT)
    @Post("/{queue}/redrive")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    HttpResponse<?> redrive(Access access, String queue) {
        var found = require(queue);
        if (letters != null) {
            letters.redrive(found.name(), access.actor());
        }
        return Redirect.to(Link.to("dead-letters").with(REDRIVEN, found.name()));
    }

    private DeadLetters.Queue require(String name) {
        return (letters == null ? List.<DeadLetters.Queue>of() : letters.queues())
                .stream()
                        .filter(queue -> queue.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> NotFound.of("queue", "There is no queue " + name + "."));
    }
}
