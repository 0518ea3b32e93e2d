/**
 * Stands in for "zod" in the browser's build (next.config.mjs). A screen needs of a contract its address and its types; the
 * server alone checks, and shows what is wrong by issues. The schemas and their library would be a third of a page's code.
 * Every schema is one value here that takes every call of a definition, and fails loudly when it is asked to check something.
 */
const CHECKS = new Set<unknown>(["parse", "safeParse", "parseAsync", "safeParseAsync", "encode", "decode"]);

const inert: unknown = new Proxy(function schema() {}, {
  get(_, name) {
    if (CHECKS.has(name))
      throw new Error("Schemas check nothing in the browser: send the input, and show the server's issues.");
    return inert;
  },
  apply: () => inert,
});

/** What the contracts call; a test holds this list against them. */
export {
  inert as array,
  inert as boolean,
  inert as coerce,
  inert as custom,
  inert as date,
  inert as discriminatedUnion,
  inert as email,
  inert as enum,
  inert as iso,
  inert as literal,
  inert as number,
  inert as object,
  inert as preprocess,
  inert as record,
  inert as strictObject,
  inert as string,
  inert as toJSONSchema,
  inert as union,
  inert as unknown,
  inert as url,
  inert as uuid,
};
