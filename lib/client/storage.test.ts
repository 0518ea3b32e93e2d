import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { rememberRoute, takeRoute } from "./storage.ts";

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("window", {
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  });
});

afterAll(() => vi.unstubAllGlobals());

it("a remembered page is taken once; without one it is the dashboard", () => {
  rememberRoute("/trade-history?symbol=AAPL");
  expect(takeRoute()).toBe("/trade-history?symbol=AAPL");
  expect(takeRoute()).toBe("/dashboard");
});

it("another site, a scheme and the sign-in page itself are never remembered nor followed", () => {
  for (const route of [
    "//evil.example",
    "//evil.example/",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "<svg onload=alert(1)>",
    "/auth",
    "/auth?from=/x",
  ]) {
    rememberRoute(route);
    expect(stored.size, route).toBe(0);
    stored.set("intended_route", route);
    expect(takeRoute(), route).toBe("/dashboard");
  }
});
