import { expect, it } from "vitest";
import {
  ageText,
  beatHealth,
  bytesText,
  pnlPercent,
  providerLabel,
  providerState,
  queueHealth,
  RANGE_MS,
  systemStatus,
  toneOfProviderLabel,
  toneOfQueueHealth,
  toneOfRegime,
  toneOfSkew,
  toneOfStatus,
  userHealth,
  type SystemFacts,
} from "./console.ts";

const HEALTHY: SystemFacts = {
  isWorkerBeating: true,
  isQueueActive: true,
  killText: null,
  isAutomationOn: true,
  isWhole: true,
  silentAccounts: 0,
};

it.each([
  [{}, "RUNNING", "gain"],
  [{ isQueueActive: false }, "PAUSED", "warn"],
  [{ isAutomationOn: false }, "PAUSED", "warn"],
  [{ killText: "Positions are only reduced." }, "RESTRICTED", "warn"],
  [{ isWhole: false }, "DEGRADED", "warn"],
  [{ silentAccounts: 2 }, "DEGRADED", "warn"],
  [{ isWorkerBeating: false }, "STOPPED", "loss"],
  [{ isWorkerBeating: false, killText: "x", isQueueActive: false, isWhole: false }, "STOPPED", "loss"],
] as const)("the status of the system with %j is %s, in the colour %s", (facts, status, tone) => {
  const is = systemStatus({ ...HEALTHY, ...facts });
  expect(is.status).toBe(status);
  expect(toneOfStatus(is.status)).toBe(tone);
  expect(is.reason === null).toBe(status === "RUNNING");
});

it("a silent worker stops purchases, not the mail: the watchdog sends it", () => {
  const { reason } = systemStatus({ ...HEALTHY, isWorkerBeating: false });
  expect(reason).toMatch(/Nothing new is bought/);
  expect(reason).toMatch(/email is sent by the watchdog/);
  expect(reason).not.toMatch(/no email|nothing is traded/i);
});

it.each([
  [1, "Excellent", "gain"],
  [0.95, "Excellent", "gain"],
  [0.9499, "Good", "warn"],
  [0.8, "Good", "warn"],
  [0.7999, "Poor", "loss"],
  [0, "Poor", "loss"],
  [null, "No calls", "neutral"],
] as const)("a provider with a success rate of %s is %s", (rate, label, tone) => {
  expect(providerLabel(rate)).toBe(label);
  expect(toneOfProviderLabel(label)).toBe(tone);
});

it.each([
  [0, 0, "Good", "gain"],
  [5, 100, "Good", "gain"],
  [6, 100, "Fair", "warn"],
  [10, 100, "Fair", "warn"],
  [11, 100, "Poor", "loss"],
] as const)("a queue with %i of %i jobs failed is %s", (failed, total, health, tone) => {
  expect(queueHealth(failed, total)).toBe(health);
  expect(toneOfQueueHealth(health)).toBe(tone);
});

it.each([
  ["risk_on", "gain"],
  ["risk_off", "loss"],
  ["neutral", "warn"],
  [null, "warn"],
] as const)("the regime %s stands in the colour %s", (label, tone) => expect(toneOfRegime(label)).toBe(tone));

it("the percent of an administrator's summary is of what was paid in", () => {
  expect(pnlPercent({ totalValue: 110_000, pnlTotal: 10_000 })).toBe(10);
  expect(pnlPercent({ totalValue: 90_000, pnlTotal: -10_000 })).toBe(-10);
  expect(pnlPercent({ totalValue: 0, pnlTotal: 0 })).toBeNull();
  expect(pnlPercent({ totalValue: 100, pnlTotal: 100 })).toBeNull();
});

it("ranges are as long as they say", () => {
  expect(RANGE_MS).toEqual({ "1h": 3_600_000, "24h": 86_400_000, "7d": 604_800_000, "30d": 2_592_000_000 });
});

it.each([
  [0, "Alive", "gain"],
  [14_999, "Alive", "gain"],
  [15_000, "Late", "warn"],
  [59_999, "Late", "warn"],
  [60_000, "Silent", "loss"],
] as const)("a beat of %i ms ago, with a silence of a minute, is %s", (age, label, tone) =>
  expect(beatHealth(age, 60_000)).toEqual({ label, tone }),
);

it.each([
  [0, "gain"],
  [-1_000, "gain"],
  [1_001, "warn"],
  [-5_000, "warn"],
  [5_001, "loss"],
] as const)("a clock that is %i ms off stands in the colour %s", (skew, tone) => expect(toneOfSkew(skew)).toBe(tone));

it.each([
  [400, "just now"],
  [12_000, "12 s"],
  [119_000, "119 s"],
  [120_000, "2 min"],
  [7_200_000, "2 h"],
  [172_800_000, "2 d"],
])("%i ms are %s", (ms, text) => expect(ageText(ms)).toBe(text));

it.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 kB"],
  [12_900_000, "12.3 MB"],
])("%i bytes are %s", (bytes, text) => expect(bytesText(bytes)).toBe(text));

it.each([
  [{ configured: false, working: false }, "Not configured", "neutral"],
  [{ configured: true, working: null }, "Not checked", "warn"],
  [{ configured: true, working: true }, "Working", "gain"],
  [{ configured: true, working: false }, "Not working", "loss"],
] as const)("a provider %j is %s", (state, label, tone) => expect(providerState(state)).toEqual({ label, tone }));

const active = { status: "ACTIVE", haltReason: null, killState: "NONE" } as const;
const idle = { ...active, status: "PAUSED" } as const;
const free = { isDisabled: false, killState: "NONE", isPaused: false } as const;
it.each([
  [{ ...free, accounts: [active, idle] }, "Healthy", "gain"],
  [{ ...free, accounts: [idle] }, "Paused", "warn"],
  [{ ...free, isPaused: true, accounts: [active] }, "Paused", "warn"],
  [{ ...free, accounts: [] }, "No account", "neutral"],
  [{ ...free, isPaused: true, accounts: [] }, "No account", "neutral"],
  [{ ...free, killState: "NO_NEW_ENTRIES", isPaused: true, accounts: [active] }, "Stopped", "loss"],
  [{ ...free, killState: "REDUCE_ONLY", accounts: [] }, "Stopped", "loss"],
  [{ ...free, accounts: [active, { ...active, killState: "FLATTEN" }] }, "Stopped", "loss"],
  [{ ...free, killState: "FLATTEN", accounts: [active, { ...active, haltReason: "Books differ" }] }, "Halted", "loss"],
  [{ ...free, isDisabled: true, killState: "FLATTEN", accounts: [active] }, "Disabled", "loss"],
] as const)("a user %j is %s", (user, label, tone) => expect(userHealth(user)).toEqual({ label, tone }));
