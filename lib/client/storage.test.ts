import { afterAll, beforeEach, expect, it, vi } from "vitest";
import {
  clearToken,
  dropEndedToken,
  onForeignToken,
  readNotice,
  readToken,
  rememberRoute,
  storeToken,
  takeRoute,
} from "./storage.ts";

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

/** Another tab of the same browser: what it is told of each change, in order. */
interface Change {
  key: string;
  newValue: string | null;
}

const storageOf = (entries: Map<string, string>, onChange: (change: Change) => void = () => undefined) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, value: string) => {
    entries.set(key, value);
    onChange({ key, newValue: value });
  },
  removeItem: (key: string) => {
    if (entries.delete(key)) onChange({ key, newValue: null });
  },
});

it("the other tabs learn that a sign-in has ended, and not merely gone, before they find it gone; nothing of that is kept", () => {
  const changes: Change[] = [];
  vi.stubGlobal("window", {
    localStorage: storageOf(stored, (change) => changes.push(change)),
    sessionStorage: storageOf(new Map()),
  });
  storeToken("a-token");
  changes.length = 0;
  dropEndedToken();
  expect(readNotice()).toBe("ended");
  expect([...stored.keys()]).toEqual([]);

  const said: (string | null)[] = [];
  let tell = (_: Change) => {};
  vi.stubGlobal("window", {
    localStorage: storageOf(stored),
    sessionStorage: storageOf(new Map()),
    addEventListener: (name: string, listener: typeof tell) => {
      if (name === "storage") tell = listener;
    },
  });
  onForeignToken(() => said.push(readNotice()));
  tell({ key: "auth_token", newValue: null });
  for (const change of changes) tell(change);
  expect(said, "a logout, then an end").toEqual([null, "ended"]);
});

it.each([
  ["is blocked", new Error("SecurityError")],
  ["is full", null],
])("where storage %s, a sign-in holds for this page and ends as any other", (_, blocked) => {
  const refuse = () => {
    throw blocked ?? new Error("QuotaExceededError");
  };
  const full = { getItem: () => null, setItem: refuse, removeItem: () => {} };
  vi.stubGlobal(
    "window",
    blocked === null
      ? { localStorage: full, sessionStorage: full }
      : Object.defineProperties({}, { localStorage: { get: refuse }, sessionStorage: { get: refuse } }),
  );
  expect(readToken()).toBeNull();
  storeToken("a-token");
  expect(readToken()).toBe("a-token");
  rememberRoute("/settings");
  expect(takeRoute()).toBe("/settings");
  expect(takeRoute()).toBe("/dashboard");
  clearToken();
  expect(readToken()).toBeNull();
  storeToken("another");
  dropEndedToken();
  expect([readToken(), readNotice()]).toEqual([null, "ended"]);
});
