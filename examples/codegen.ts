import type { CodegenConfig } from "@graphql-codegen/cli";

const config: CodegenConfig = {
  schema: "../docs/schema.graphql",
  documents: ["till/*.ts", "worker/*.ts"],
  generates: {
    "gql/": {
      preset: "client",
      presetConfig: { fragmentMasking: false },
      config: {
        importExtension: ".js",
        emitLegacyCommonJSImports: false,
        documentMode: "string", // fetch sends strings: no GraphQL library at run time
        enumsAsTypes: true,
        useTypeImports: true,
        strictScalars: true,
        scalars: {
          CountryCode: "string",
          CurrencyCode: "string",
          Date: "string",
          DateTime: "string",
          Decimal: "string", // never a number: 0.1 + 0.2
          EffectiveDate: "string",
          JSON: "unknown",
          Long: "number",
          TimeZone: "string",
          YearMonth: "string",
        },
      },
    },
  },
};

export default config;
