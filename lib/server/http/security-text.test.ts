import { afterAll, beforeEach, expect, it } from "vitest";
import { env, forgetEnv } from "../env.ts";
import { securityText } from "./security-text.ts";

const SETTINGS = {
  DATABASE_URL: "postgresql://app@127.0.0.1/app",
  NEXTAUTH_SECRET: "security-text-secret-".repeat(4),
  MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
  AUDIT_KEY: "security-text-audit-key-".repeat(2),
  APP_BASE_URL: "https://trade.example/",
  TRUSTED_PROXIES: "1",
};
const before = { ...process.env };
beforeEach(() => {
  Object.assign(process.env, SETTINGS);
  delete process.env.SECURITY_CONTACT;
  forgetEnv();
});
afterAll(() => {
  process.env = before;
  forgetEnv();
});

const NOW = new Date("2026-11-23T04:00:00Z");
const fields = async () => {
  const response = securityText(NOW);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const lines = (await response.text()).trimEnd().split("\n");
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
};

it("security.txt names a contact, its own address, and an end within a year (RFC 9116)", async () => {
  const { Contact, Canonical, Expires, ...others } = await fields();
  expect(Contact).toBe("mailto:support@tradewind.example");
  expect(Canonical).toBe("https://trade.example/.well-known/security.txt");
  const days = (Date.parse(Expires ?? "") - NOW.getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
  expect(others).toEqual({ "Preferred-Languages": "en" });
});

it("the contact is the setting where there is one, and a setting that is no address is refused", async () => {
  process.env.SECURITY_CONTACT = "https://trade.example/report";
  forgetEnv();
  expect((await fields()).Contact).toBe("https://trade.example/report");
  for (const contact of [
    "security@trade.example",
    "mailto:a@b.example\nExpires: 2099-01-01T00:00:00Z",
    "http://trade.example",
  ]) {
    process.env.SECURITY_CONTACT = contact;
    forgetEnv();
    expect(() => env(), contact).toThrow(/SECURITY_CONTACT/);
  }
});
