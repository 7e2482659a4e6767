package io.menuboard.graphql;

import graphql.language.Definition;
import graphql.language.Directive;
import graphql.language.Document;
import graphql.language.FloatValue;
import graphql.language.FragmentDefinition;
import graphql.language.FragmentSpread;
import graphql.language.IntValue;
import graphql.language.Node;
import graphql.language.OperationDefinition;
import graphql.language.Selection;
import io.menuboard.graphql.introspection.HiddenDirectives;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the size of a document before anything else reads it: validation and cost take time that grows with fragments
 * spread out, in the case of chains of fragments with the third power of their length. Takes time that grows with the
 * document alone.
 */
final class DocumentShape {
    private final GraphQlConfig config;
    private final Map<String, Part> fragments = new HashMap<>();
    private final Map<String, Spread> spreads = new HashMap<>();
    private final Set<String> open = new HashSet<>();

    private DocumentShape(GraphQlConfig config) {
        this.config = config;
    }

    /** The error to answer with if the document goes past a limit. */
    static Optional<GraphQlError> refusal(Document document, GraphQlConfig config) {
        try {
            new DocumentShape(config).check(document);
            return Optional.empty();
        } catch (PastLimit e) {
            return Optional.of(e.error);
        }
    }

    /** A definition: how many selections it has itself, and the fragments that it spreads, once for each time. */
    private record Part(int selections, List<String> spreads) {}

    /** What spreading a fragment comes to, with all that it spreads. */
    private record Spread(int depth, long selections) {}

    private void check(Document document) {
        var definitions = document.getDefinitionsOfType(FragmentDefinition.class);
        require(definitions.size(), config.maxFragments(), "TOO_MANY_FRAGMENTS", "fragments");
        var operations = document.getDefinitionsOfType(OperationDefinition.class);
        require(operations.size(), config.maxOperations(), "TOO_MANY_OPERATIONS", "operations");
        for (var fragment : definitions) {
            // Validation, which comes later, refuses two of one name: until then both count.
            fragments.merge(fragment.getName(), part(fragment), DocumentShape::both);
        }
        var selections = 0L;
        for (var operation : operations) {
            selections += spread(part(operation)).selections;
        }
        for (var fragment : fragments.keySet()) {
            spread(fragment); // also those that no operation uses
        }
        require(selections, config.maxSelections(), "TOO_MANY_SELECTIONS", "fields, once fragments are spread out");
    }

    private Part part(Definition<?> definition) {
        var selections = 0;
        var names = new ArrayList<String>();
        var nodes = new ArrayDeque<Node<?>>();
        nodes.add(definition);
        while (!nodes.isEmpty()) {
            var node = nodes.remove();
            switch (node) {
                case IntValue number -> requireShort(Numbers.isShort(number.getValue()));
                case FloatValue number -> requireShort(Numbers.isShort(number.getValue()));
                case Directive directive
                when HiddenDirectives.has(directive) ->
                    throw new PastLimit("GRAPHQL_VALIDATION_FAILED", "Unknown directive '" + directive.getName() + "'");
                case FragmentSpread spread -> names.add(spread.getName());
                default -> {}
            }
            selections += node instanceof Selection<?> ? 1 : 0;
            for (Node<?> child : node.getChildren()) {
                nodes.add(child);
            }
        }
        return new Part(selections, names);
    }

    private static Part both(Part one, Part other) {
        var spreads = new ArrayList<>(one.spreads);
        spreads.addAll(other.spreads);
        return new Part(one.selections + other.selections, spreads);
    }

    private Spread spread(String name) {
        var known = spreads.get(name);
        if (known != null) {
            return known;
        }
        var fragment = fragments.get(name);
        if (fragment == null) {
            return new Spread(0, 0);
        }
        if (!open.add(name)) {
            throw new PastLimit("FRAGMENT_CYCLE", "the fragment " + GraphQlError.excerpt(name) + " spreads itself");
        }
        var inner = spread(fragment);
        open.remove(name);
        var spread = new Spread(inner.depth + 1, inner.selections);
        spreads.put(name, spread);
        require(
                spread.depth,
                config.maxFragmentDepth(),
                "FRAGMENTS_TOO_DEEP",
                "fragments that spread each other in a row");
        return spread;
    }

    private Spread spread(Part part) {
        var depth = 0;
        long selections = part.selections;
        for (var name : part.spreads) {
            var spread = spread(name);
            depth = Math.max(depth, spread.depth);
            selections = Math.min(selections + spread.selections, Integer.MAX_VALUE);
        }
        return new Spread(depth, selections);
    }

    private static void require(long count, int max, String code, String of) {
        if (count > max) {
            throw new PastLimit(code, "a document may have at most %d %s".formatted(max, of));
        }
    }

    private static void requireShort(boolean isShort) {
        if (!isShort) {
            throw new PastLimit(Numbers.CODE, "a number of the document " + Numbers.RULE);
        }
    }

    private static final class PastLimit extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient GraphQlError error;

        PastLimit(String code, String message) {
            super(message, null, false, false);
            this.error = GraphQlError.of(code, message);
        }
    }
}
