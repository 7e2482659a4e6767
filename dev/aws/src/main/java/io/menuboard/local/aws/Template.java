package io.menuboard.local.aws;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.Yaml;

/**
 * A CloudFormation template of {@code app/deploy}.
 *
 * @param text as it is in the file
 * @param tree the same, parsed
 */
public record Template(String text, JsonNode tree) {
    private static final JsonMapper JSON = new JsonMapper();

    /** Resources deployed in every region. */
    public static Template menuboard() {
        return read("menuboard.yaml");
    }

    /** The table. */
    public static Template table() {
        return read("table.yaml");
    }

    /** From the project whose folder, or the folder of one of whose modules, this process runs in. */
    private static Template read(String name) {
        var here = Path.of("").toAbsolutePath();
        var folder = here;
        while (!Files.exists(folder.resolve("app/deploy"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("there is no app/deploy in or above " + here);
            }
        }
        try {
            var text = Files.readString(folder.resolve("app/deploy").resolve(name));
            return new Template(text, JSON.valueToTree(new Yaml().<Object>load(text)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public JsonNode resources() {
        return tree.path("Resources");
    }

    /** Properties of that resource; nothing of a resource that does not exist. */
    public JsonNode properties(String resource) {
        return resources().path(resource).path("Properties");
    }

    /** Logical ids of all resources of that type. */
    public List<String> ofType(String type) {
        return resources().properties().stream()
                .filter(resource -> resource.getValue().path("Type").asText().equals(type))
                .map(resource -> resource.getKey())
                .toList();
    }

    /** Patterns of that pipe: it lets through what matches one of them. */
    public List<EventPattern> pipeFilters(String pipe) {
        var filters =
                properties(pipe).path("SourceParameters").path("FilterCriteria").path("Filters");
        return StreamSupport.stream(filters.spliterator(), false)
                .map(filter -> filter.path("Pattern").asText())
                .map(Template::json)
                .map(EventPattern::new)
                .toList();
    }

    /** Filter of that subscription to its topic. */
    public EventPattern subscriptionFilter(String subscription) {
        return new EventPattern(properties(subscription).path("FilterPolicy"));
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + text, e);
        }
    }
}
