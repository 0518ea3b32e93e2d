/** Writes the client's types anew from the API's document: `npm run client`. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { formatted } from "../../scripts/formatted.ts";
import { apiDocument } from "../../lib/contracts/api-document.ts";
import type { ApiDocument, Operation } from "../../lib/contracts/openapi.ts";

export const SCHEMA_FILE = fileURLToPath(new URL("schema.d.ts", import.meta.url));

const HEAD = "/** Made from the API's document by `npm run client`. Do not edit. */\n";

const isOpenToTokens = ({ security }: Operation) => security.some((way) => "accessToken" in way);

/** All failures have one form, which `default` tells: the statuses would be nine tenths of the types. */
function withOneFailure({ responses, ...operation }: Operation): Operation {
  const { "200": success, default: failure } = responses;
  return { ...operation, responses: { "200": success, default: failure } };
}

/** The part of the document that access tokens open. */
function openToTokens({ paths, ...document }: ApiDocument): ApiDocument {
  const opened = Object.entries(paths).map(([path, methods]) => {
    const kept = Object.entries(methods).filter(([, operation]) => isOpenToTokens(operation));
    return [path, Object.fromEntries(kept.map(([method, operation]) => [method, withOneFailure(operation)]))] as const;
  });
  return { ...document, paths: Object.fromEntries(opened.filter(([, methods]) => Object.keys(methods).length > 0)) };
}

/** The types of every call that a token opens, as they stand in the document now. */
export async function generateTypes(): Promise<string> {
  // The generator changes what it is given.
  const document = structuredClone(openToTokens(apiDocument())) as unknown as OpenAPI3;
  const types = astToString(await openapiTS(document, { alphabetize: true }));
  return formatted(SCHEMA_FILE, HEAD + types);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(SCHEMA_FILE, await generateTypes());
