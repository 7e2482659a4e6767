package io.menuboard.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.menuboard.querydb.TableDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The deployment files say what the one description of the table says. */
class DeploymentTest {

    @Test
    void theTemplateIsTheTableAndNothingMoreThanTheRightToUseIt() throws IOException {
        var template = Files.readString(Path.of("deploy", "menuboard.yaml"));

        assertThat(template).isEqualTo(template());
    }

    private static String template() {
        var table = TableDefinition.menuboard("menuboard");
        return """
                AWSTemplateFormatVersion: "2010-09-09"
                Description: >-
                  Menuboard's table, and the policy for the role of the instances that run menuboard.jar. Written from
                  TableDefinition; DeploymentTest compares.

                Resources:
                %s
                  TablePolicy:
                    Type: AWS::IAM::ManagedPolicy
                    Properties:
                      Description: What menuboard.jar does with its table, and nothing else
                      PolicyDocument:
                        Version: "2012-10-17"
                        Statement:
                %s
                Outputs:
                  TablePolicyArn:
                    Description: Attach this to the role of the instances
                    Value:
                      Ref: TablePolicy
                """.formatted(
                        table.cloudFormationResource("Table"),
                        table.iamStatements("Table").stripTrailing().indent(10));
    }
}
