// Writes documents for every connection, query and mutation of the schema, so that new ones are tried too.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { getNamedType } from "graphql";
import { connections, elements, isRefetchable, required, schema, select } from "./schema.js";

const OUT = "generated";
const capital = (name) => name[0].toUpperCase() + name.slice(1);
const write = (file, text) => writeFileSync(`${OUT}/${file}`, text);

rmSync(OUT, { recursive: true, force: true });
for (const folder of ["relay/__generated__", "operations", "modules"]) {
  mkdirSync(`${OUT}/${folder}`, { recursive: true });
}

// Relay: a pagination fragment for each connection that can be fetched again, which those of Query and of nodes can.
const query = schema.getQueryType();
for (const { type, field } of connections.filter(isRefetchable)) {
  const name = type.name + capital(field.name);
  const needed = required(field);
  const definitions = needed.map((argument) => `${argument.name}: { type: "${argument.type}" }`).join(" ");
  const given = needed.map((argument) => `${argument.name}: $${argument.name}`).join(" ");
  const node = elements(getNamedType(field.type));
  write(
    `relay/${name}.js`,
    `import { graphql } from "relay-runtime";

graphql\`
  fragment ${name}_data on ${type.name}
  @argumentDefinitions(count: { type: "Int", defaultValue: 3 } cursor: { type: "String" } ${definitions})
  @refetchable(queryName: "${name}PaginationQuery") {
    ${field.name}(first: $count after: $cursor ${given}) @connection(key: "${name}_${field.name}") {
      edges { node ${select(node, 1)} }
    }
  }
\`;
`,
  );
}

// Operations for everybody: each query and mutation with its arguments as variables.
for (const [kind, root] of [["query", query], ["mutation", schema.getMutationType()]]) {
  for (const field of Object.values(root.getFields())) {
    const variables = field.args.map((argument) => `$${argument.name}: ${argument.type}`).join(" ");
    const given = field.args.map((argument) => `${argument.name}: $${argument.name}`).join(" ");
    const of = getNamedType(field.type);
    const selected = of.getFields ? (of.name === "Node" ? "{ __typename id }" : select(of, 2)) : "";
    const name = capital(field.name) + capital(kind);
    const head = variables ? `${kind} ${name}(${variables})` : `${kind} ${name}`;
    write(`operations/${name}.graphql`, `${head} { ${field.name}${given ? `(${given})` : ""} ${selected} }\n`);
    write(
      `relay/${name}.js`,
      `import { graphql } from "relay-runtime";\n\ngraphql\`${head} { ${field.name}${given ? `(${given})` : ""} ${selected} }\`;\n`,
    );
  }
}

// GraphQL Modules: the schema as the contexts write it.
for (const module of ["platform/graphql", "pricing", "tasks", "billing", "favorites", "audit"]) {
  const from = `../../${module}/src/main/resources/graphql`;
  for (const file of readdirSync(from)) {
    const name = file.replace(".graphqls", "");
    mkdirSync(`${OUT}/modules/${name}`);
    cpSync(`${from}/${file}`, `${OUT}/modules/${name}/${name}.graphql`);
  }
}

write(
  "tsconfig.json",
  JSON.stringify({
    compilerOptions: {
      target: "ES2022",
      module: "ESNext",
      moduleResolution: "bundler",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    },
    include: ["client", "near", "imported", "schema.ts", "operations"],
  }),
);
