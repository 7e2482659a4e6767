import { readFileSync } from "node:fs";
import { buildSchema, getNamedType, isLeafType, isNonNullType, isObjectType } from "graphql";

export const FILE = new URL("../../docs/schema.graphql", import.meta.url);
export const schema = buildSchema(readFileSync(FILE, "utf8"));

export const objects = Object.values(schema.getTypeMap()).filter(
  (type) => isObjectType(type) && !type.name.startsWith("__"),
);

/** Arguments that have to be given. */
export const required = (field) =>
  field.args.filter((argument) => isNonNullType(argument.type) && argument.defaultValue === undefined);

export const isNode = (type) => type.getInterfaces?.().some((one) => one.name === "Node") ?? false;

export const isConnection = (field) => getNamedType(field.type).name.endsWith("Connection");

/** Type of the nodes of a connection. */
export const elements = (connection) => getNamedType(connection.getFields().nodes.type);

/** Fields that are connections, with the type that has them. */
export const connections = objects.flatMap((type) =>
  Object.values(type.getFields())
    .filter(isConnection)
    .map((field) => ({ type, field })),
);

/** Whether Relay can ask for another page of a connection. */
export const isRefetchable = ({ type }) => type === schema.getQueryType() || isNode(type);

/** Everything of a type down to a depth that needs no argument, and three elements of each page. */
export function select(type, depth) {
  const fields = Object.values(type.getFields()).filter((field) => required(field).length === 0);
  const parts = fields.flatMap((field) => {
    const of = getNamedType(field.type);
    if (isLeafType(of)) {
      return [field.name];
    }
    if (depth === 0 || !isObjectType(of)) {
      return [];
    }
    if (isConnection(field)) {
      return [`${field.name}(first: 3) { __typename nodes ${select(elements(of), depth - 1)} pageInfo { __typename hasNextPage endCursor } }`];
    }
    return [`${field.name} ${select(of, depth - 1)}`];
  });
  return `{ __typename ${parts.join(" ")} }`;
}
