package io.menuboard.app;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** Says what is wrong with the table, or with the way to it. */
final class DynamoDbFaults {
    private DynamoDbFaults() {}

    /** One sentence for an operator, where the fault comes from DynamoDB or from the way to it. */
    static Optional<String> explain(Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case ResourceNotFoundException _ -> {
                    return Optional.of(
                            "The table does not exist; create it, or name another one with" + " MENUBOARD_TABLE_NAME.");
                }
                case AwsServiceException refused -> {
                    return Optional.of("DynamoDB refused the request: "
                            + firstLine(refused.awsErrorDetails().errorMessage()));
                }
                case SdkException unreachable -> {
                    return Optional.of("DynamoDB cannot be reached: " + firstLine(unreachable.getMessage()));
                }
                default -> {}
            }
        }
        return Optional.empty();
    }

    private static String firstLine(@Nullable String text) {
        return text == null ? "no reason was given" : text.lines().findFirst().orElse("");
    }
}
