import nextVitals from "eslint-config-next/core-web-vitals";
import nextTs from "eslint-config-next/typescript";
import { defineConfig, globalIgnores } from "eslint/config";

const TESTS = ["**/*.test.{ts,tsx}", "lib/proof/**", "e2e/**", "scripts/test-{database,fresh}.ts"];

/** Paths to the folder beside the checkout, as text or as a part that is joined. */
const beside = [
  "Literal[value=/(^|\\u002F)shared\\u002F|\\u002Fshared$/]",
  "TemplateElement[value.raw=/(^|\\u002F)shared(\\u002F|$)/]",
  "CallExpression[callee.property.name=/^(join|resolve)$/] > Literal[value='shared']",
].map((selector) => ({ selector, message: "Only the recorded stage reads what lies beside the checkout." }));

const noEnvironment = {
  object: "process",
  property: "env",
  message: "The environment is read in lib/server/env.ts.",
};

/** The domain is pure: what it needs to know is given to it. */
const impure = [
  ["CallExpression[callee.object.name='Date'][callee.property.name='now']", "The clock is an input."],
  ["NewExpression[callee.name='Date'][arguments.length=0]", "The clock is an input."],
  ["CallExpression[callee.name='Date']", "The clock is an input."],
  ["CallExpression[callee.object.name='performance']", "The clock is an input."],
  ["CallExpression[callee.object.name='Math'][callee.property.name='random']", "Chance is an input."],
  ["CallExpression[callee.object.name='crypto']", "Chance is an input."],
  ["AwaitExpression", "The domain waits for nothing."],
  ["ForOfStatement[await=true]", "The domain waits for nothing."],
  [":function[async=true]", "The domain waits for nothing."],
  ["ImportExpression", "The domain waits for nothing."],
].map(([selector, message]) => ({ selector, message }));

const outside = [
  "fetch",
  "process",
  "console",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
  "require",
];

export default defineConfig([
  globalIgnores([
    ".next/**",
    "dist/**",
    ".data/**",
    "lib/generated/**",
    "next-env.d.ts",
    "test-results/**",
    "playwright-report/**",
    "scripts/fixtures/**",
  ]),
  ...nextVitals,
  ...nextTs,
  {
    files: ["**/*.{ts,tsx}"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    },
  },
  {
    ignores: ["app/**", "emails/**"],
    rules: { "react-hooks/rules-of-hooks": "off" }, // a function called "use" is no hook there
  },
  {
    files: ["scripts/**", ".dependency-cruiser.mjs"],
    rules: { "import/no-anonymous-default-export": "off" },
  },
  {
    rules: {
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true },
      ],
      eqeqeq: ["error", "always", { null: "ignore" }],
      "prefer-const": "error",
    },
  },
  {
    files: ["app/**", "lib/**", "workers/**", "emails/**", "prisma/seed.ts"],
    ignores: ["lib/server/env.ts", "lib/proof/**", "workers/exchange.ts", "workers/cli/**", ...TESTS],
    rules: { "no-restricted-properties": ["error", noEnvironment] },
  },
  {
    // scripts/test.mjs asks the stage itself whether its folder is there.
    ignores: ["lib/proof/recorded/**"],
    rules: { "no-restricted-syntax": ["error", ...beside] },
  },
  {
    files: ["lib/domain/**/*.ts"],
    ignores: TESTS,
    rules: {
      "no-restricted-syntax": ["error", ...impure, ...beside],
      "no-restricted-globals": ["error", ...outside.map((name) => ({ name, message: "The domain does no I/O." }))],
    },
  },
]);
