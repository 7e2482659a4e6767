package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.menuboard.access.Access;
import io.menuboard.access.Grant;
import io.menuboard.access.Role;
import io.menuboard.accounts.Tokens;
import io.menuboard.graphql.GraphQlServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** What people and clients send is theirs: passwords, tokens, and what they ask for do not get into the log, whatever becomes of it. */
@Isolated("the log is that of the whole process")
final class LogSecretsTest {
    private static final String FIRST_PASSWORD = "first password 7";
    private static final String WRONG_PASSWORD = "wrong password 7";
    private static final String WRONG_TOKEN = "mb_wrongtoken7";
    private static final String CUSTOMER = "customer seven";
    private static final String SEARCH = "search seven";
    private static final Pattern FORM_TOKEN = Pattern.compile("name=\"csrfToken\" value=\"([^\"]+)\"");
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void nothingOfWhatIsSentIsLogged() throws Exception {
        var secrets = new ArrayList<>(List.of(FIRST_PASSWORD, WRONG_PASSWORD, WRONG_TOKEN, CUSTOMER, SEARCH));
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        var level = root.getLevel();
        root.setLevel(Level.INFO);
        root.addAppender(log);
        try (var server = ApplicationServer.start(
                Map.of("menuboard.sign-in", true, "menuboard.administrator.password", FIRST_PASSWORD))) {
            assertThat(signIn(server, WRONG_PASSWORD, null)).isEqualTo(401);
            assertThat(signIn(server, FIRST_PASSWORD, "not a token of a form")).isEqualTo(403);
            assertThat(signIn(server, FIRST_PASSWORD, null)).isEqualTo(303);
            var token = token(server);
            secrets.add(token);
            assertThat(ask(server, WRONG_TOKEN, "{ stores { nodes { key } } }", Map.of()))
                    .isEqualTo(401);
            ask(
                    server,
                    token,
                    "query ($search: String) { stores(search: $search) { nodes { nothing } } }",
                    Map.of("search", SEARCH));
            ask(
                    server,
                    token,
                    "mutation ($input: RecordTransactionsInput!) { recordTransactions(input: $input) { errors { code } } }",
                    Map.of("input", Map.of("transactions", List.of(Map.of("customer", CUSTOMER)))));
        } finally {
            root.detachAppender(log);
            root.setLevel(level);
        }

        assertThat(log.list).anyMatch(line -> line.getFormattedMessage().startsWith("first administrator added"));
        assertThat(log.list).allSatisfy(line -> assertThat(text(line)).doesNotContain(secrets.toArray(String[]::new)));
    }

    private static String text(ILoggingEvent line) {
        var fault = line.getThrowableProxy();
        return line.getFormattedMessage() + (fault == null ? "" : ThrowableProxyUtil.asString(fault));
    }

    private static String token(GraphQlServer server) {
        return server.bean(Tokens.class)
                .create(
                        Access.ofCommandLine("test"),
                        "till",
                        Set.of(Grant.of(Role.ADMINISTRATOR)),
                        Instant.now().plus(1, ChronoUnit.HOURS))
                .text();
    }

    /** @param formToken instead of the one that the form has; null for that one */
    private static int signIn(GraphQlServer server, String password, @Nullable String formToken) {
        var address = server.graphQl().resolve("/sign-in");
        var form = server.send(HttpRequest.newBuilder(address).header("Accept", "text/html"));
        var found = FORM_TOKEN.matcher(form.text());
        assertThat(found.find()).isTrue();
        var fields = "username=administrator&password=" + password.replace(' ', '+') + "&csrfToken="
                + (formToken == null ? found.group(1) : formToken.replace(' ', '+'));
        return server.send(HttpRequest.newBuilder(address)
                        .header("Accept", "text/html")
                        .header("Cookie", form.header("Set-Cookie").replaceFirst(";.*", ""))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString(fields)))
                .status();
    }

    private static int ask(GraphQlServer server, String token, String document, Map<String, Object> variables)
            throws JsonProcessingException {
        var body = JSON.writeValueAsString(Map.of("query", document, "variables", variables));
        return server.send(HttpRequest.newBuilder(server.graphQl())
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer " + token)
                        .POST(BodyPublishers.ofString(body)))
                .status();
    }
}
