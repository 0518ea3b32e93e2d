import { readdirSync } from "node:fs";
import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { allEndpoints } from "@/lib/contracts/api.ts";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const here = import.meta.dirname;
const files = readdirSync(here, { recursive: true, encoding: "utf8" }).filter(
  (file) => path.basename(file) === "route.ts",
);

/** What the route files promise: the path that their folder is, and the endpoint that each method serves. */
const served: { path: string; method: string; endpoint: Endpoint }[] = [];
const doors = new Map<string, Record<string, { endpoint?: Endpoint }>>();

beforeAll(async () => {
  for (const file of files) {
    const door = (await import(path.join(here, file))) as Record<string, { endpoint?: Endpoint }>;
    const address = `/${path.dirname(file).split(path.sep).join("/")}`.replace(/\[([^\]]+)\]/g, "{$1}");
    doors.set(address, door);
    for (const method of METHODS) {
      const endpoint = method === "HEAD" ? undefined : door[method]?.endpoint;
      if (endpoint) served.push({ path: address, method, endpoint });
    }
  }
}, 60_000);

const line = ({ method, path: address }: { method: string; path: string }) => `${method} ${address}`;

it("the walk saw the route files", () => {
  expect(files.length).toBeGreaterThan(10);
});

it("no two endpoints share a method and a path", () => {
  const lines = allEndpoints.map(line);
  expect(lines.filter((one, index) => lines.indexOf(one) !== index)).toEqual([]);
});

it("every endpoint has its route file, and no route file serves what no contract names", () => {
  expect(served.map(line).sort()).toEqual(allEndpoints.map(line).sort());
});

it("each route serves the very endpoint of its path", () => {
  for (const { path: address, method, endpoint } of served) {
    expect(line(endpoint)).toBe(`${method} ${address}`);
    expect(allEndpoints).toContain(endpoint);
  }
});

it("every route file answers every method, be it with 405", () => {
  for (const [address, door] of doors) {
    expect({ address, methods: METHODS.filter((method) => typeof door[method] === "function") }).toEqual({
      address,
      methods: METHODS,
    });
  }
});

it("who may call what", () => {
  const lines = allEndpoints.map((endpoint) => `${line(endpoint)} ${endpoint.access}`).sort();
  expect(lines).toMatchInlineSnapshot(`
    [
      "DELETE /accounts/{id} user",
      "GET /accounts user",
      "GET /admin/all-trades admin",
      "GET /auth/me user",
      "GET /automation/heartbeat user",
      "GET /automation/market user",
      "GET /health/live public",
      "GET /health/ready public",
      "GET /portfolio/equity user",
      "GET /portfolio/positions user",
      "GET /portfolio/summary user",
      "GET /trades user",
      "POST /accounts user",
      "POST /accounts/practice user",
      "POST /auth/forgot-password public",
      "POST /auth/login public",
      "POST /auth/logout user",
      "POST /auth/register public",
      "POST /auth/reset-password public",
      "POST /auth/verify-email public",
      "POST /email/resend-verification public",
      "PUT /auth/change-password user",
    ]
  `);
});
