import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allEndpoints } from "@/lib/contracts/api.ts";
import { tokenScopeOf } from "@/lib/contracts/endpoint.ts";
import { generateTypes, SCHEMA_FILE } from "./generate.ts";

it("the client's types are those of the document: `npm run client` writes them anew", async () => {
  expect(readFileSync(SCHEMA_FILE, "utf8") === (await generateTypes()), "schema.d.ts is older than the document").toBe(
    true,
  );
});

it("they hold every path that an access token opens, and no other", () => {
  const opened = allEndpoints.filter((endpoint) => tokenScopeOf(endpoint) !== null).map(({ path }) => path);
  const [paths = ""] = readFileSync(SCHEMA_FILE, "utf8").split("export type webhooks");
  const held = [...paths.matchAll(/^ {2}"(\/[^"]*)": \{$/gm)].map(([, path]) => path);
  expect(held.sort()).toEqual([...new Set(opened)].sort());
});

it("the client asks for the version of its library that is tested here", () => {
  const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string>>;
  const { dependencies } = read("packages/client/package.json");
  const { devDependencies } = read("package.json");
  expect(dependencies).toEqual({ "openapi-fetch": devDependencies?.["openapi-fetch"] });
});
