package io.menuboard.app;

import graphql.language.AstPrinter;
import graphql.language.Document;
import graphql.language.EnumTypeDefinition;
import graphql.language.FieldDefinition;
import graphql.language.ImplementingTypeDefinition;
import graphql.language.InputObjectTypeDefinition;
import graphql.language.InputValueDefinition;
import graphql.language.InterfaceTypeDefinition;
import graphql.language.ListType;
import graphql.language.NonNullType;
import graphql.language.ObjectTypeDefinition;
import graphql.language.Type;
import graphql.language.TypeDefinition;
import graphql.language.UnionTypeDefinition;
import graphql.language.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Compares two versions of a schema as their clients would. Everything in a schema has a coordinate, such as
 * {@code Task.history(first:)}; a change is a sentence that begins with one. graphql-java's own comparison sees only what
 * fields lead to, which leaves out types that are found as nodes alone, and counts removed arguments instead of naming them.
 *
 * @param breaking what a client may notice: an operation that was valid is not, be it that a part of it was deprecated, or an answer
 *     has what it could not have
 * @param dangerous what a client notices that is not prepared for new values, or relies on a default
 */
record SchemaChanges(List<String> breaking, List<String> dangerous) {

    static SchemaChanges between(Document before, Document after) {
        var found = new SchemaChanges(new ArrayList<>(), new ArrayList<>());
        var old = elements(before);
        var current = elements(after);
        old.forEach((coordinate, element) -> {
            var now = current.get(coordinate);
            if (now != null) {
                found.changed(coordinate, element, now);
            } else if (element.parent.isEmpty() || current.containsKey(element.parent)) {
                found.breaking.add(coordinate + " is gone");
            }
        });
        current.forEach((coordinate, element) -> {
            if (!old.containsKey(coordinate) && old.containsKey(element.parent)) {
                found.added(coordinate, element);
            }
        });
        return found;
    }

    private void changed(String coordinate, Element before, Element now) {
        if (before.kind != now.kind) {
            breaking.add("%s was %s and is %s".formatted(coordinate, before.kind.words, now.kind.words));
        } else if (before.type != null && now.type != null) {
            var isSafe = before.kind == Kind.INPUT ? fits(before.type, now.type) : fits(now.type, before.type);
            if (!isSafe) {
                breaking.add("%s was %s and is %s"
                        .formatted(coordinate, AstPrinter.printAst(before.type), AstPrinter.printAst(now.type)));
            }
            if (!before.value.equals(now.value)) {
                dangerous.add(
                        "%s had %s and has %s".formatted(coordinate, byDefault(before.value), byDefault(now.value)));
            }
        }
    }

    private void added(String coordinate, Element element) {
        switch (element.kind) {
            case INPUT -> {
                if (element.type instanceof NonNullType && element.value.isEmpty()) {
                    breaking.add(coordinate + " is new and has to be given");
                }
            }
            case ENUM_VALUE, MEMBER -> dangerous.add(coordinate + " is new");
            default -> {}
        }
    }

    private static String byDefault(String value) {
        return value.isEmpty() ? "no default" : "the default " + value;
    }

    /** Whether each value of the one type is one of the other. */
    private static boolean fits(Type<?> one, Type<?> other) {
        if (other instanceof NonNullType wanted) {
            return one instanceof NonNullType given && fits(given.getType(), wanted.getType());
        }
        if (one instanceof NonNullType given) {
            return fits(given.getType(), other);
        }
        if (one instanceof ListType given && other instanceof ListType wanted) {
            return fits(given.getType(), wanted.getType());
        }
        return AstPrinter.printAst(one).equals(AstPrinter.printAst(other));
    }

    private enum Kind {
        TYPE("type"),
        INTERFACE("interface"),
        UNION("union"),
        ENUM("enum"),
        INPUT_TYPE("input type"),
        SCALAR("scalar"),
        FIELD("field"),
        INPUT("input"),
        ENUM_VALUE("value"),
        MEMBER("member");

        private final String words;

        Kind(String words) {
            this.words = words;
        }
    }

    /**
     * One thing that has a coordinate.
     *
     * @param parent coordinate of what it is part of; empty for a type
     * @param type of what has one
     * @param value its default; empty for none
     */
    private record Element(
            Kind kind, String parent, @Nullable Type<?> type, String value) {
        Element(Kind kind, String parent, @Nullable Type<?> type) {
            this(kind, parent, type, "");
        }
    }

    private static Map<String, Element> elements(Document schema) {
        var elements = new TreeMap<String, Element>();
        for (TypeDefinition<?> type : schema.getDefinitionsOfType(TypeDefinition.class)) {
            add(elements, type);
        }
        return elements;
    }

    private static void add(Map<String, Element> elements, TypeDefinition<?> type) {
        var name = type.getName();
        elements.put(name, new Element(kind(type), "", null));
        switch (type) {
            case ImplementingTypeDefinition<?> object -> {
                for (Type<?> implemented : object.getImplements()) {
                    var coordinate = name + " as " + AstPrinter.printAst(implemented);
                    elements.put(coordinate, new Element(Kind.MEMBER, name, null));
                }
                object.getFieldDefinitions().forEach(field -> field(elements, name, field));
            }
            case UnionTypeDefinition union ->
                union.getMemberTypes()
                        .forEach(member -> elements.put(
                                AstPrinter.printAst(member) + " as " + name, new Element(Kind.MEMBER, name, null)));
            case EnumTypeDefinition values ->
                values.getEnumValueDefinitions()
                        .forEach(value ->
                                elements.put(name + "." + value.getName(), new Element(Kind.ENUM_VALUE, name, null)));
            case InputObjectTypeDefinition input ->
                input.getInputValueDefinitions()
                        .forEach(field -> elements.put(name + "." + field.getName(), input(name, field)));
            default -> {}
        }
    }

    private static void field(Map<String, Element> elements, String type, FieldDefinition field) {
        var coordinate = type + "." + field.getName();
        elements.put(coordinate, new Element(Kind.FIELD, type, field.getType()));
        field.getInputValueDefinitions()
                .forEach(argument ->
                        elements.put(coordinate + "(" + argument.getName() + ":)", input(coordinate, argument)));
    }

    private static Element input(String parent, InputValueDefinition input) {
        Value<?> value = input.getDefaultValue();
        return new Element(Kind.INPUT, parent, input.getType(), value == null ? "" : AstPrinter.printAst(value));
    }

    private static Kind kind(TypeDefinition<?> type) {
        return switch (type) {
            case ObjectTypeDefinition _ -> Kind.TYPE;
            case InterfaceTypeDefinition _ -> Kind.INTERFACE;
            case UnionTypeDefinition _ -> Kind.UNION;
            case EnumTypeDefinition _ -> Kind.ENUM;
            case InputObjectTypeDefinition _ -> Kind.INPUT_TYPE;
            default -> Kind.SCALAR;
        };
    }
}
