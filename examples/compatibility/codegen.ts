import type { CodegenConfig } from "@graphql-codegen/cli";

const documents = "generated/operations/*.graphql";

const config: CodegenConfig = {
  schema: "../../docs/schema.graphql",
  generates: {
    "generated/client/": { documents, preset: "client" },
    "generated/schema.ts": { plugins: ["typescript"] },
    "generated/operations/": {
      documents,
      preset: "near-operation-file",
      presetConfig: { baseTypesPath: "../schema.ts", extension: ".near.ts" },
      plugins: ["typescript-operations"],
    },
    "generated/imported/operations.ts": {
      documents,
      preset: "import-types",
      presetConfig: { typesPath: "../schema" },
      plugins: ["typescript-operations"],
    },
    "generated/modules/": {
      schema: "generated/modules/*/*.graphql",
      preset: "graphql-modules",
      presetConfig: { baseTypesPath: "schema.ts", filename: "module-types.ts" },
      plugins: ["typescript"],
    },
    "generated/printed.graphql": { plugins: ["schema-ast"], config: { includeDirectives: true } },
    "generated/introspection.json": { plugins: ["introspection"] },
  },
};

export default config;
