import { afterEach, expect, it, vi } from "vitest";
import { webHash } from "./build.mjs";

afterEach(() => vi.unstubAllEnvs());

const hashWith = (base: string) => {
  vi.stubEnv("NEXT_PUBLIC_API_BASE", base);
  return webHash();
};

it("another base of the API's calls asks for another build, and none is the API's own path", () => {
  const own = hashWith("");
  expect(hashWith("/api/v1")).toBe(own);
  const others = ["/behind/a/proxy/api/v1", "https://api.trade.example/api/v1"].map(hashWith);
  expect(new Set([own, ...others]).size).toBe(3);
});

it.each([
  "/api/v2",
  "/api/v1/",
  "api/v1",
  "https://api.trade.example",
  "ftp://api.trade.example/api/v1",
  "//other.example/api/v1",
])("a base that is no path or address of the API is refused by name: %s", (base) =>
  expect(() => hashWith(base)).toThrow("NEXT_PUBLIC_API_BASE"),
);
