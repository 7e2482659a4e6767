// Reads everything that a server shows of itself, and lets the caches of Apollo and urql give it back.
import { deepStrictEqual } from "node:assert";
import { InMemoryCache } from "@apollo/client";
import { Client, fetchExchange } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { minifyIntrospectionQuery } from "@urql/introspection";
import { getNamedType, introspectionFromSchema, isEnumType, isInterfaceType, parse } from "graphql";
import { elements, isConnection, isNode, objects, required, schema, select } from "./schema.js";

const url = process.env.MENUBOARD;
if (!url) {
  console.log("caches: not tried, as MENUBOARD names no server");
  process.exit(0);
}
const findings = [];

async function ask(query, variables = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(process.env.MENUBOARD_TOKEN ? { authorization: `Bearer ${process.env.MENUBOARD_TOKEN}` } : {}),
    },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

/** The most of something that the server allows. */
async function most(of, query, variables) {
  for (let depth = 4; depth > 0; depth--) {
    const document = query(
      isConnection({ type: of })
        ? `{ __typename nodes ${select(elements(of), depth)} pageInfo { __typename hasNextPage endCursor } }`
        : select(of, depth),
    );
    const answer = await ask(document, variables);
    if (!answer.errors) {
      return { document, variables, data: answer.data };
    }
    if (!/^(QUERY|DOCUMENT)_TOO/.test(answer.errors[0].extensions.code)) {
      throw new Error(`${document}: ${JSON.stringify(answer.errors)}`);
    }
  }
  findings.push(`refused at every depth: ${query("…")}`);
  return null;
}

// What a normalised cache keeps under an id must be the same wherever an answer has it.
function collect(value, entities, where) {
  if (Array.isArray(value)) {
    value.forEach((one) => collect(one, entities, where));
  } else if (value && typeof value === "object") {
    if (value.id) {
      const known = entities.get(value.id) ?? entities.set(value.id, {}).get(value.id);
      for (const [name, of] of Object.entries(value)) {
        if (of === null || typeof of !== "object") {
          if (name in known && known[name] !== of) {
            findings.push(`${where}: ${value.id} has two values of ${name}, ${known[name]} and ${of}`);
          }
          known[name] = of;
        }
      }
    }
    Object.values(value).forEach((one) => collect(one, entities, where));
  }
}

const possibleTypes = Object.fromEntries(
  Object.values(schema.getTypeMap())
    .filter(isInterfaceType)
    .map((type) => [type.name, schema.getPossibleTypes(type).map((one) => one.name)]),
);

function apolloGivesBack({ document, variables, data }) {
  const cache = new InMemoryCache({ possibleTypes });
  const query = parse(document);
  cache.writeQuery({ query, variables, data });
  return cache.readQuery({ query, variables });
}

const embedded = objects.filter((type) => !isNode(type) && type !== schema.getQueryType());
const keys = Object.fromEntries(embedded.map((type) => [type.name, () => null]));

async function urqlGivesBack({ document, variables, data }) {
  const client = new Client({
    url,
    preferGetMethod: false,
    fetch: async () => new Response(JSON.stringify({ data }), { headers: { "content-type": "application/json" } }),
    exchanges: [
      cacheExchange({ schema: minifyIntrospectionQuery(introspectionFromSchema(schema)), keys, logger: complain }),
      fetchExchange,
    ],
  });
  await client.query(document, variables).toPromise();
  return (await client.query(document, variables, { requestPolicy: "cache-only" }).toPromise()).data;
}

function complain(severity, message) {
  if (severity !== "debug") {
    findings.push(`urql: ${message.split("\n")[0]}`);
  }
}

function same(tool, { document, data }, back) {
  try {
    deepStrictEqual(JSON.parse(JSON.stringify(back)), data);
  } catch (e) {
    findings.push(`${tool} gives back something else for ${document.slice(0, 60)}…: ${e.message.slice(0, 800)}`);
  }
}

const ids = new Map();
let tried = 0;

async function look(found) {
  if (found) {
    tried++;
    const entities = new Map();
    collect(found.data, entities, found.document.slice(0, 60));
    entities.forEach(({ __typename }, id) => ids.set(id, __typename));
    same("Apollo", found, apolloGivesBack(found));
    same("urql", found, await urqlGivesBack(found));
  }
}

for (const field of Object.values(schema.getQueryType().getFields())) {
  const needed = required(field);
  if (needed.every((argument) => isEnumType(getNamedType(argument.type)))) {
    const given = needed.map((argument) => `${argument.name}: ${getNamedType(argument.type).getValues()[0].name}`);
    given.push(...(isConnection(field) ? ["first: 5"] : []));
    const call = given.length > 0 ? `${field.name}(${given.join(" ")})` : field.name;
    await look(await most(getNamedType(field.type), (selection) => `{ ${call} ${selection} }`, {}));
  }
}

// Each id leads back to what it is the id of, with all that it leads to.
for (const type of objects.filter(isNode)) {
  const some = [...ids].filter(([, name]) => name === type.name).map(([id]) => id).slice(0, 5);
  if (some.length === 0) {
    console.log(`caches: no ${type.name} was found`);
    continue;
  }
  const found = await most(
    type,
    (selection) => `query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on ${type.name} ${selection} } }`,
    { ids: some },
  );
  const wrong = some.filter((id, i) => found?.data.nodes[i]?.id !== id || found.data.nodes[i].__typename !== type.name);
  findings.push(...wrong.map((id) => `the ${type.name} ${id} is not found by its id`));
  await look(found);
}

console.log(`caches: ${tried} answers, ${ids.size} nodes, ${findings.length} findings`);
findings.forEach((finding) => console.log(`- ${finding}`));
process.exitCode = findings.length > 0 ? 1 : 0;
