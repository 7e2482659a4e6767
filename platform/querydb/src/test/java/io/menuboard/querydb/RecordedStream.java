package io.menuboard.querydb;

import io.menuboard.local.aws.LocalDynamoDb;
import io.menuboard.local.aws.PipeFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** What a table's stream has told so far, as instances are told it. */
final class RecordedStream {
    private RecordedStream() {}

    /** Every change from the begin of the stream on, each as it comes from the pipe. */
    static List<ChangeRecord> of(LocalDynamoDb server, String table) {
        var stream = server.client()
                .describeTable(request -> request.tableName(table))
                .table()
                .latestStreamArn();
        try (var streams = DynamoDbStreamsClient.builder()
                .endpointOverride(server.endpoint())
                .region(LocalDynamoDb.REGION)
                .credentialsProvider(LocalDynamoDb.CREDENTIALS)
                .httpClientBuilder(ApacheHttpClient.builder())
                .build()) {
            var changes = new ArrayList<ChangeRecord>();
            for (var shard : streams.describeStream(request -> request.streamArn(stream))
                    .streamDescription()
                    .shards()) {
                for (var record : records(streams, stream, shard.shardId())) {
                    changes.add(ChangeRecord.parse(PipeFormat.of(record, stream)));
                }
            }
            return changes;
        }
    }

    private static List<Record> records(DynamoDbStreamsClient streams, String stream, String shard) {
        var records = new ArrayList<Record>();
        @Nullable
        String iterator = streams.getShardIterator(request ->
                        request.streamArn(stream).shardId(shard).shardIteratorType(ShardIteratorType.TRIM_HORIZON))
                .shardIterator();
        while (iterator != null) {
            var from = iterator;
            var answer = streams.getRecords(request -> request.shardIterator(from));
            records.addAll(answer.records());
            iterator = answer.records().isEmpty() ? null : answer.nextShardIterator();
        }
        return records;
    }
}
