import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Failure } from "@/lib/domain/failures.ts";

const CALENDARS = ["FINNHUB_TOKEN", "FMP_API_KEY", "ALPHA_VANTAGE_KEY"] as const;
const SETTINGS = {
  DATABASE_URL: "postgresql://127.0.0.1:9/none",
  NEXTAUTH_SECRET: "test-secret-".repeat(8),
  MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
  AUDIT_KEY: "test-audit-key-".repeat(4),
  ALPACA_DATA_KEY_ID: "PKDATA",
  ALPACA_DATA_SECRET: "s".repeat(16),
};

beforeEach(() => {
  vi.resetModules();
  for (const [name, value] of Object.entries(SETTINGS)) vi.stubEnv(name, value);
  for (const name of CALENDARS) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** The US market as a process composes it that starts with these settings. */
async function marketWith(...names: (typeof CALENDARS)[number][]) {
  for (const name of names) vi.stubEnv(name, "key");
  const { marketData } = await import("./market-data-registry.ts");
  return marketData("US");
}

it.each([
  [["FINNHUB_TOKEN", "FMP_API_KEY", "ALPHA_VANTAGE_KEY"], { vendor: "Finnhub", coversPast: true }],
  [["FMP_API_KEY", "ALPHA_VANTAGE_KEY"], { vendor: "Financial Modeling Prep", coversPast: true }],
  [["ALPHA_VANTAGE_KEY"], { vendor: "Alpha Vantage", coversPast: false }],
] as const)("of %j the first is the calendar of reports", async (names, calendar) => {
  expect((await marketWith(...names)).earningsCalendar).toEqual(calendar);
});

it("without any of the three there is no calendar, and a question for one is a failure, no empty answer", async () => {
  const { earningsCalendar, earnings } = await marketWith();
  expect(earningsCalendar).toBeNull();
  // Modules were loaded anew: the class is another one, its code is the same.
  await expect(earnings("2024-01-08", "2024-02-07")).rejects.toMatchObject({ name: Failure.name, code: "unavailable" });
});
