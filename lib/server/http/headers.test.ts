import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import nextConfig from "@/next.config.mjs";
import { forgetEnv } from "../env.ts";
import { dataHeaders, pageHeaders } from "./headers.ts";

const KEYS = {
  DATABASE_URL: "postgres://nowhere/none",
  NEXTAUTH_SECRET: "0123456789abcdef".repeat(4),
  AUDIT_KEY: "0123456789abcdef".repeat(2),
  MASTER_KEYS: `1:${Buffer.from("0123456789abcdef".repeat(2)).toString("base64")}`,
};
const before = { ...process.env };

function under(environment: Record<string, string>) {
  Object.assign(process.env, KEYS, environment);
  forgetEnv();
}
beforeEach(() => under({ NODE_ENV: "production", APP_BASE_URL: "http://127.0.0.1:3000" }));
afterEach(() => {
  process.env = { ...before };
  forgetEnv();
});

const directives = (headers: { "content-security-policy": string }) =>
  new Map(
    headers["content-security-policy"].split("; ").map((directive) => {
      const [name = "", ...values] = directive.split(" ");
      return [name, values] as const;
    }),
  );

describe("the policy of the built product", () => {
  it("lets no script run that does not carry the nonce of its answer", () => {
    const policy = directives(pageHeaders("bm9uY2U="));
    expect(policy.get("script-src")).toEqual(["'self'", "'nonce-bm9uY2U='", "'strict-dynamic'"]);
    expect(policy.get("require-trusted-types-for")).toEqual(["'script'"]);
    expect(policy.get("trusted-types")).toEqual(["default"]);
  });

  it("lets in nothing for being inline, evaluated or from elsewhere", () => {
    for (const headers of [pageHeaders("bm9uY2U="), dataHeaders()]) {
      const values = [...directives(headers).values()].flat();
      expect(values.filter((value) => /unsafe|\*|https?:|blob:/.test(value))).toEqual([]);
    }
    expect(pageHeaders("bm9uY2U=")["content-security-policy"].match(/data:/g)).toHaveLength(1);
    expect(directives(pageHeaders("bm9uY2U=")).get("img-src")).toContain("data:");
  });

  it("shuts what has no use here: frames, plug-ins, another base, forms that go elsewhere", () => {
    const policy = directives(pageHeaders("bm9uY2U="));
    for (const name of ["object-src", "frame-src", "base-uri", "frame-ancestors"])
      expect({ name, values: policy.get(name) }).toEqual({ name, values: ["'none'"] });
    expect(policy.get("form-action")).toEqual(["'self'"]);
    // For the one that shows pushes.
    expect(policy.get("worker-src")).toEqual(["'self'"]);
  });

  it("lets the browser call this site alone, and the origin of the API where the build was given another", async () => {
    const connectsTo = async (base: string) => {
      vi.stubEnv("NEXT_PUBLIC_API_BASE", base);
      vi.resetModules();
      const built = await import("./headers.ts");
      return directives(built.pageHeaders("x")).get("connect-src");
    };
    for (const base of ["", "/api/v1", "/behind/a/proxy/api/v1"]) expect(await connectsTo(base)).toEqual(["'self'"]);
    expect(await connectsTo("https://api.trade.example:8443/api/v1")).toEqual([
      "'self'",
      "https://api.trade.example:8443",
    ]);
    vi.unstubAllEnvs();
  });

  it("names the toaster's style by the digest that the installed toaster has", () => {
    const source = readFileSync("node_modules/sonner/dist/index.mjs", "utf8");
    const literal = /^__insertCSS\((".*")\);?$/m.exec(source)?.[1] ?? "";
    const style = JSON.parse(literal) as string;
    const digest = createHash("sha256").update(style).digest("base64");
    expect(directives(pageHeaders("bm9uY2U=")).get("style-src")).toContain(`'sha256-${digest}'`);
  });
});

it("an answer of the API loads nothing and stands in no frame", () => {
  expect(Object.fromEntries(directives(dataHeaders()))).toEqual({
    "default-src": ["'none'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
});

it("a caller by https is told to use nothing else, and a caller by http is not", () => {
  expect(pageHeaders("x")).not.toHaveProperty("strict-transport-security");
  expect(directives(pageHeaders("x")).has("upgrade-insecure-requests")).toBe(false);
  under({ APP_BASE_URL: "https://trade.example", TRUSTED_PROXIES: "1" });
  for (const headers of [pageHeaders("x"), dataHeaders()])
    expect(headers).toHaveProperty("strict-transport-security", "max-age=31536000; includeSubDomains");
  expect(directives(pageHeaders("x")).get("upgrade-insecure-requests")).toEqual([]);
});

it("only the development build may name errors by eval and write its own styles", () => {
  under({ NODE_ENV: "development" });
  const policy = directives(pageHeaders("x"));
  expect(policy.get("script-src")).toEqual(["'self'", "'nonce-x'", "'strict-dynamic'", "'unsafe-eval'"]);
  expect(policy.get("style-src")).toEqual(["'self'", "'unsafe-inline'"]);
});

it("every answer, files included, says what it is, whose it is and what it may not do", async () => {
  const rules = (await nextConfig.headers?.()) ?? [];
  expect(rules).toHaveLength(1);
  expect(rules[0]?.source).toBe("/:path*");
  const headers = Object.fromEntries((rules[0]?.headers ?? []).map(({ key, value }) => [key.toLowerCase(), value]));
  expect(headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(headers["permissions-policy"]).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\).*payment=\(\)/);
  expect(nextConfig.poweredByHeader).toBe(false);
});
