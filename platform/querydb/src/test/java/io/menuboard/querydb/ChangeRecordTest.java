package io.menuboard.querydb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.menuboard.local.aws.PipeFormat;
import io.menuboard.querydb.ChangeRecord.Kind;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;

final class ChangeRecordTest {
    private static final Key KEY = new Key("STORE#1", "ALL#Batch#2026-03-01");
    private static final Instant AT = Instant.ofEpochSecond(1_764_000_000);
    private static final Item BEFORE =
            Item.at(KEY).type("batch").number("version", 1).build();
    private static final Item AFTER =
            Item.at(KEY).type("batch").number("version", 2).build();

    /** What AWS documents as an example, with the attributes of our table. */
    private static final String DOCUMENTED = """
            {
              "eventID": "c4ca4238a0b923820dcc509a6f75849b",
              "eventName": "MODIFY",
              "eventVersion": "1.1",
              "eventSource": "aws:dynamodb",
              "awsRegion": "us-east-1",
              "dynamodb": {
                "ApproximateCreationDateTime": 1.764000000E9,
                "Keys": {"pk": {"S": "STORE#1"}, "sk": {"S": "ALL#Batch#2026-03-01"}},
                "NewImage": {
                  "pk": {"S": "STORE#1"}, "sk": {"S": "ALL#Batch#2026-03-01"},
                  "type": {"S": "batch"}, "version": {"N": "2"}
                },
                "OldImage": {
                  "pk": {"S": "STORE#1"}, "sk": {"S": "ALL#Batch#2026-03-01"},
                  "type": {"S": "batch"}, "version": {"N": "1"}
                },
                "SequenceNumber": "4421584500000000017450439091",
                "SizeBytes": 59,
                "StreamViewType": "NEW_AND_OLD_IMAGES"
              },
              "eventSourceARN": "arn:aws:dynamodb:us-east-1:111122223333:table/menuboard/stream/2026-01-01T00:00:00.000"
            }
            """;

    @Test
    void readsTheDocumentedFormat() {
        assertThat(ChangeRecord.parse(DOCUMENTED))
                .isEqualTo(new ChangeRecord(
                        "c4ca4238a0b923820dcc509a6f75849b", AT, Kind.CHANGED, KEY, "batch", BEFORE, AFTER));
    }

    /** As {@code aws dynamodbstreams get-records} shows it, in the time zone of whoever asks. */
    @ParameterizedTest
    @ValueSource(strings = {"2025-11-24T16:00:00+00:00", "2025-11-24T17:00:00+01:00", "2025-11-24T16:00:00Z"})
    void readsWhatTheCommandLineShows(String time) {
        var shown =
                DOCUMENTED.replace("1.764000000E9", '"' + time + '"').replaceAll(",\\s*\"eventSourceARN\".*\\R", "\n");

        assertThat(shown).doesNotContain("eventSourceARN");
        assertThat(ChangeRecord.parse(shown)).isEqualTo(ChangeRecord.parse(DOCUMENTED));
    }

    @Test
    void somethingNewHasNoBeforeAndSomethingRemovedNoAfter() {
        assertThat(ChangeRecord.parse(body("INSERT", null, AFTER)))
                .isEqualTo(new ChangeRecord("e1", AT, Kind.CREATED, KEY, "batch", null, AFTER));
        assertThat(ChangeRecord.parse(body("REMOVE", BEFORE, null)))
                .isEqualTo(new ChangeRecord("e1", AT, Kind.REMOVED, KEY, "batch", BEFORE, null));
    }

    @Test
    void refusesARecordWhoseKindAndImagesContradictEachOther() {
        assertThatIllegalArgumentException().isThrownBy(() -> ChangeRecord.parse(body("INSERT", BEFORE, AFTER)));
        assertThatIllegalArgumentException().isThrownBy(() -> ChangeRecord.parse(body("MODIFY", null, AFTER)));
        assertThatIllegalArgumentException().isThrownBy(() -> ChangeRecord.parse(body("REMOVE", null, null)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "aws:dynamodb"           | "aws:kinesis"       | a change comes from aws:dynamodb, not aws:kinesis
            "MODIFY"                 | "RENAME"            | a change is no RENAME
            "eventID"                | "id"                | a change needs a text eventID, not MISSING
            1.764000000E9            | "now"               | a change needs a time in ISO 8601, or in seconds
            1.764000000E9            | true                | a change needs a time ApproximateCreationDateTime, not BOOLEAN
            1.764000000E9            | 1E17                | a change needs a time ApproximateCreationDateTime, not NUMBER
            "Keys"                   | "Key"               | a change needs an object Keys, not MISSING
            {"S": "batch"}           | {"N": "1"}          | a change needs the string type
            {"N": "2"}               | {"N": 2}            | a change needs a text, not NUMBER
            {"N": "2"}               | {"X": "2"}          | there is no type of attribute X
            {"N": "2"}               | {"N": "2", "S": ""} | an attribute's value must be an object with its type only
            {"N": "2"}               | {"BOOL": 1}         | a change needs true or false, not NUMBER
            {"N": "2"}               | {"SS": "a"}         | a change needs a list, not STRING
            {"N": "2"}               | {"M": []}           | a change needs an object, not ARRAY
            """)
    void namesWhatIsWrong(String replaced, String by, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChangeRecord.parse(DOCUMENTED.replace(replaced, by)))
                .withMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = "''\n'{'\n'[]'\n'1'\nnull\n'{} {}'\n'{\"dynamodb\": {}}'")
    void refusesWhatIsNoRecord(String body) {
        assertThatIllegalArgumentException().isThrownBy(() -> ChangeRecord.parse(body));
    }

    @Test
    void aMessageAboutBadJsonDoesNotShowIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChangeRecord.parse("{\"secret\": nonsense}"))
                .satisfies(e -> assertThat(e.getCause()).message().doesNotContain("secret"));
    }

    @Property(tries = 500)
    void attributesOfEveryTypeComeOutAsTheyWentIn(@ForAll("attributes") Map<String, AttributeValue> attributes) {
        var all = new HashMap<>(attributes);
        all.putAll(AFTER.attributes());
        var item = new Item(all);

        var read = ChangeRecord.parse(body("INSERT", null, item));

        assertThat(read.after()).isEqualTo(item);
    }

    @Provide
    static Arbitrary<Map<String, AttributeValue>> attributes() {
        return Arbitraries.maps(Arbitraries.strings().ofMinLength(1).ofMaxLength(8), value(2))
                .ofMaxSize(6);
    }

    private static Arbitrary<AttributeValue> value(int depth) {
        var strings = Arbitraries.strings().ofMaxLength(12);
        var numbers = Arbitraries.bigDecimals()
                .ofScale(6)
                .between(BigDecimal.valueOf(Long.MIN_VALUE), BigDecimal.valueOf(Long.MAX_VALUE))
                .map(BigDecimal::toPlainString);
        var bytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(20).map(SdkBytes::fromByteArray);
        var flat = Arbitraries.<AttributeValue>oneOf(
                strings.map(AttributeValue::fromS),
                numbers.map(AttributeValue::fromN),
                bytes.map(AttributeValue::fromB),
                Arbitraries.of(true, false).map(AttributeValue::fromBool),
                Arbitraries.just(AttributeValue.fromNul(true)),
                strings.set().ofMinSize(1).ofMaxSize(3).map(set -> AttributeValue.fromSs(List.copyOf(set))),
                numbers.set().ofMinSize(1).ofMaxSize(3).map(set -> AttributeValue.fromNs(List.copyOf(set))),
                bytes.set()
                        .ofMinSize(1)
                        .ofMaxSize(3)
                        .map((Set<SdkBytes> set) -> AttributeValue.fromBs(List.copyOf(set))));
        if (depth == 0) {
            return flat;
        }
        return Arbitraries.oneOf(
                flat,
                value(depth - 1).list().ofMaxSize(3).map(AttributeValue::fromL),
                Arbitraries.maps(strings, value(depth - 1)).ofMaxSize(3).map(AttributeValue::fromM));
    }

    private static String body(String eventName, @Nullable Item before, @Nullable Item after) {
        return PipeFormat.of(
                Record.builder()
                        .eventID("e1")
                        .eventName(OperationType.fromValue(eventName))
                        .eventVersion("1.1")
                        .eventSource("aws:dynamodb")
                        .awsRegion("eu-central-1")
                        .dynamodb(stream -> stream.approximateCreationDateTime(AT)
                                .keys(Map.of(
                                        "pk", AttributeValue.fromS(KEY.partition()),
                                        "sk", AttributeValue.fromS(KEY.sort())))
                                .oldImage(before == null ? null : before.attributes())
                                .newImage(after == null ? null : after.attributes())
                                .sequenceNumber("1")
                                .sizeBytes(1L)
                                .streamViewType("NEW_AND_OLD_IMAGES"))
                        .build(),
                "arn:aws:dynamodb:eu-central-1:0:table/menuboard/stream/1");
    }
}
