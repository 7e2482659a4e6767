package io.menuboard.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.querydb.LocalTables;
import io.menuboard.querydb.TableDefinition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ImportCommandTest {
    private static final String TABLE = "import-command";
    private static final String STORES = "id,name,timeZone,currency\nB1,Berlin,Europe/Berlin,EUR\n";
    private static final String PRICES = "store,product,effectiveDate,amount\nB1,BURGER,2026-01-01,4.50\n";
    private static final Map<String, String> AWS = Map.of(
            "aws.region",
            LocalDynamoDb.REGION.id(),
            "aws.endpointUrlDynamoDb",
            LocalDynamoDb.shared().endpoint().toString(),
            "aws.accessKeyId",
            "local",
            "aws.secretAccessKey",
            "local");

    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeAll
    static void pointTheSdkHere() {
        AWS.forEach(System::setProperty);
    }

    @AfterAll
    static void pointTheSdkNowhere() {
        AWS.keySet().forEach(System::clearProperty);
    }

    @BeforeEach
    void emptyTable(@TempDir Path temp) {
        folder = temp;
        var client = LocalDynamoDb.shared().client();
        if (client.listTables().tableNames().contains(TABLE)) {
            client.deleteTable(request -> request.tableName(TABLE));
        }
        LocalTables.create(LocalDynamoDb.shared(), TableDefinition.menuboard(TABLE));
    }

    @Test
    void exitsWith0WhenEveryRowIsIn() throws IOException {
        var stores = file("stores.csv", STORES);
        var prices = file("prices.csv", PRICES);

        var code = run("--prices", prices, "--stores=" + stores);

        assertThat(err()).isEmpty();
        assertThat(out())
                .contains(stores + ": 1 rows: 1 created, 0 changed, 0 unchanged, 0 rejected")
                .contains(prices + ": 1 rows: 1 new, 0 would change, 0 unchanged, 0 rejected")
                .containsPattern("2 rows in \\d+\\.\\d s, [0-9,]+ rows/s; import [0-9a-f]{16}");
        assertThat(code).isEqualTo(ImportCommand.ALL_IN);
    }

    @Test
    void draftsWhatPricesWouldChangeAndSaysWhatToDoNext() throws IOException {
        var code = run("--stores", file("stores.csv", STORES), "--prices", file("prices.csv", PRICES));

        assertThat(err()).isEmpty();
        assertThat(out())
                .containsPattern("change set [0-9A-Z]{26}: 1 prices would change \\(1 new\\)")
                .containsPattern("No price has changed yet. Apply it on the page /changes/[0-9A-Z]{26}, or import the"
                        + " file again with --apply.");
        assertThat(code).isEqualTo(ImportCommand.ALL_IN);
        assertThat(run("--prices", file("prices.csv", PRICES))).isEqualTo(ImportCommand.ALL_IN);
        assertThat(out()).as("nothing was applied").doesNotContain("1 unchanged");
    }

    @Test
    void appliesPricesWhereThatIsAskedFor() throws IOException {
        var prices = file("prices.csv", PRICES);

        var code = run("--stores", file("stores.csv", STORES), "--prices", prices, "--reason", "costs rose", "--apply");

        assertThat(err()).isEmpty();
        assertThat(out()).contains("Applied: 1 prices.");
        assertThat(code).isEqualTo(ImportCommand.ALL_IN);
        run("--prices", prices);
        assertThat(out()).contains("0 new, 0 would change, 1 unchanged");
    }

    @Test
    void appliesInThisProcessHoweverManyPricesThereAre() throws IOException {
        var many = IntStream.range(0, 1_200)
                .mapToObj("B1,SOUP-%d,2026-01-01,4.50%n"::formatted)
                .collect(Collectors.joining());

        var code = run(
                "--stores",
                file("stores.csv", STORES),
                "--prices",
                file("many.csv", "store,product,effectiveDate,amount\n" + many),
                "--apply");

        assertThat(out()).endsWith("Applied: 1,200 prices." + System.lineSeparator());
        assertThat(code).isEqualTo(ImportCommand.ALL_IN);
    }

    @Test
    void appliesSuspiciousPricesOnlyWhereTheyAreAccepted() throws IOException {
        run("--stores", file("stores.csv", STORES), "--prices", file("first.csv", PRICES), "--apply");
        var dear = file("dear.csv", PRICES.replace("4.50", "450.00"));

        assertThat(run("--prices", dear, "--apply")).isEqualTo(ImportCommand.SOME_REJECTED);
        assertThat(err())
                .contains("Not applied: 1 prices look like mistakes.")
                .contains("import the file again with --apply --accept-suspicious.");

        assertThat(run("--prices", dear, "--apply", "--accept-suspicious")).isEqualTo(ImportCommand.ALL_IN);
        assertThat(out()).endsWith("Applied: 1 prices." + System.lineSeparator());
    }

    @Test
    void aSecondRunChangesNothing() throws IOException {
        var stores = file("stores.csv", STORES);
        run("--stores", stores);
        out.reset();

        var code = run("--stores", stores);

        assertThat(out()).contains("0 created, 0 changed, 1 unchanged, 0 rejected");
        assertThat(code).isEqualTo(ImportCommand.ALL_IN);
    }

    @Test
    void leavesTheSettingsThatInstancesShareAsTheyAre() throws IOException {
        run("--stores", file("stores.csv", STORES));

        var settings = LocalDynamoDb.shared().client().getItem(request -> request.tableName(TABLE)
                .key(Map.of("pk", AttributeValue.fromS("SETTINGS"), "sk", AttributeValue.fromS("META"))));
        assertThat(settings.hasItem()).isFalse();
    }

    @Test
    void exitsWith1WhenRowsWereRejectedAndNamesThem() throws IOException {
        var code = run("--stores", file("stores.csv", STORES + "B#2,Hamburg,Europe/Berlin,EUR\n"));

        assertThat(err()).contains("stores row 3: id must not contain '#', not 'B#2' (INVALID_ID)");
        assertThat(out()).contains("1 created, 0 changed, 0 unchanged, 1 rejected");
        assertThat(code).isEqualTo(ImportCommand.SOME_REJECTED);
    }

    @Test
    void writesRejectedRowsToAFileThatASpreadsheetCanOpen() throws IOException {
        var rejected = folder.resolve("rejected.csv");

        var code = run(
                "--stores",
                file("stores.csv", STORES + "=B2,,Europe/Berlin,EURO\n"),
                "--rejected",
                rejected.toString());

        assertThat(code).isEqualTo(ImportCommand.SOME_REJECTED);
        assertThat(err()).contains("2 problems are in " + rejected);
        assertThat(rejected)
                .hasContent(String.join(
                        "\r\n",
                        "row,field,value,rule,code,file",
                        "3,name,,name must not be blank,BLANK,stores",
                        "3,currency,EURO,\"currency must be an ISO 4217 code, such as EUR\",INVALID_CURRENCY,stores",
                        ""));
    }

    @Test
    void showsTheFirstProblemsAndCountsTheOthers() throws IOException {
        run("--stores", file("stores.csv", STORES + "x\n".repeat(25)));

        assertThat(err().lines().filter(line -> line.contains("WRONG_COLUMN_COUNT")))
                .hasSize(20);
        assertThat(err()).contains("and 5 more; --rejected FILE writes all of them to a file");
    }

    @Test
    void showsProgressInPlaceOnATerminal() throws IOException {
        var command = new ImportCommand(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), true);

        command.run(List.of("--stores", file("stores.csv", STORES)), Map.of("menuboard.table-name", TABLE));

        // How often it was shown depends on how long the import took; the last one is of the end.
        assertThat(err())
                .startsWith("\r")
                .containsOnlyOnce(System.lineSeparator())
                .endsWith(System.lineSeparator());
        assertThat(err().substring(err().lastIndexOf('\r')))
                .startsWith("\r100%  1 rows, ")
                .contains("1 new");
    }

    @Test
    void exitsWith2AndTheUsageForWrongArguments() {
        assertThat(List.of(
                        run(),
                        run("--stores"),
                        run("--shops", "x.csv"),
                        run("--stores", "a", "--stores", "b"),
                        run("--stores", "a", "--rejected", "./a"),
                        run("--prices", "a", "--accept-suspicious"),
                        run("--stores", "a", "--apply"),
                        run("--prices", "a", "--reason")))
                .containsOnly(ImportCommand.NOT_RUN);

        assertThat(err())
                .contains(
                        "Give --stores, --prices or both.",
                        "Option --stores needs a file.",
                        "There is no option --shops.",
                        "Option --stores can be given once.",
                        "Option --rejected would write over a file that is to be imported.",
                        "Option --accept-suspicious needs --apply.",
                        "Options --apply and --reason need --prices.",
                        "Option --reason needs a text.",
                        "usage: java -jar menuboard.jar import");
    }

    @Test
    void exitsWith2ForAReasonThatIsTooLongAndBeginsNoImport() throws IOException {
        var code = run("--prices", file("prices.csv", PRICES), "--reason", "x".repeat(501));

        assertThat(err()).contains("reason must have 1 to 500 characters");
        assertThat(code).isEqualTo(ImportCommand.NOT_RUN);
        assertThat(LocalDynamoDb.shared()
                        .client()
                        .scan(request -> request.tableName(TABLE))
                        .items())
                .noneMatch(item -> AttributeValue.fromS("import").equals(item.get("type")));
    }

    @Test
    void exitsWith2WhenRejectedRowsWouldGoThroughALinkIntoAFileThatIsImported() throws IOException {
        var stores = Path.of(file("stores.csv", STORES));
        var link = Files.createSymbolicLink(folder.resolve("rejected.csv"), stores);

        var code = run("--stores", stores.toString(), "--rejected", link.toString());

        assertThat(err()).contains("Option --rejected would write over a file that is to be imported.");
        assertThat(code).isEqualTo(ImportCommand.NOT_RUN);
        assertThat(stores).hasContent(STORES);
    }

    @Test
    void exitsWith2WhenAFileIsMissing() {
        var code = run("--stores", folder.resolve("nowhere.csv").toString());

        assertThat(err())
                .isEqualToIgnoringNewLines(
                        "There is no stores file " + folder.resolve("nowhere.csv") + " that can be read.");
        assertThat(code).isEqualTo(ImportCommand.NOT_RUN);
    }

    @Test
    void exitsWith2WhenAFileIsNotWhatItShouldBe() throws IOException {
        var code = run("--stores", file("stores.csv", PRICES));

        assertThat(err()).contains("column 1 is 'store', which is unknown", "Allowed are id, name");
        assertThat(code).isEqualTo(ImportCommand.NOT_RUN);
    }

    @Test
    void exitsWith2WhenThereIsNoTable() throws IOException {
        var code = run(Map.of("menuboard.table-name", "no-such-table"), "--stores", file("stores.csv", STORES));

        assertThat(err())
                .isEqualToIgnoringNewLines(
                        "The table does not exist; create it, or name another one with MENUBOARD_TABLE_NAME.");
        assertThat(code).isEqualTo(ImportCommand.NOT_RUN);
    }

    @Test
    void exitsWith2WhenDynamoDbCannotBeReached() throws IOException {
        System.setProperty("aws.endpointUrlDynamoDb", "http://127.0.0.1:1");
        try {
            var code = run("--stores", file("stores.csv", STORES));

            assertThat(err()).startsWith("DynamoDB cannot be reached: ").hasLineCount(1);
            assertThat(code).isEqualTo(ImportCommand.NOT_RUN);
        } finally {
            pointTheSdkHere();
        }
    }

    @Test
    void helpIsNoMistake() {
        assertThat(run("--help")).isEqualTo(ImportCommand.ALL_IN);
        assertThat(out()).startsWith("usage: ").contains("id,name,street,city", "needed: store,effectiveDate,amount");
    }

    private int run(String... args) {
        return run(Map.of("menuboard.table-name", TABLE), args);
    }

    private int run(Map<String, Object> properties, String... args) {
        return new ImportCommand(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), false)
                .run(List.of(args), properties);
    }

    private String file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content).toString();
    }

    private String out() {
        return out.toString(UTF_8);
    }

    private String err() {
        return err.toString(UTF_8);
    }
}
