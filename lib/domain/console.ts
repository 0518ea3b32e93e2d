/** The rules of the administrator's console: what a figure is called, and in which colour it stands. */

import type { KillStateName } from "./enums.ts";

/** RUNNING green, STOPPED red, anything between yellow. */
export const SYSTEM_STATUSES = ["RUNNING", "PAUSED", "RESTRICTED", "DEGRADED", "STOPPED"] as const;
export type SystemStatus = (typeof SYSTEM_STATUSES)[number];

/** The colours of the specification: green, red, yellow, grey. */
export type Tone = "gain" | "loss" | "warn" | "neutral";

export const toneOfStatus = (status: string): Tone =>
  status === "RUNNING" ? "gain" : status === "STOPPED" ? "loss" : "warn";

export interface SystemFacts {
  isWorkerBeating: boolean;
  isQueueActive: boolean;
  /** What the kill switch says of all accounts; null while it is off. */
  killText: string | null;
  /** False where the flag automation_enabled is off. */
  isAutomationOn: boolean;
  /** False while an invariant that all accounts share is broken. */
  isWhole: boolean;
  /** Accounts whose brokers miss their readings. */
  silentAccounts: number;
}

/** What it means that no worker runs: the watchdog cancels entry orders, places stops and sends mail in its stead. */
export const WITHOUT_WORKER = "Nothing new is bought, and email is sent by the watchdog alone.";

/** The worst fact decides, and is shown. */
export function systemStatus(facts: SystemFacts): { status: SystemStatus; reason: string | null } {
  if (!facts.isWorkerBeating) return { status: "STOPPED", reason: `The trading worker is silent. ${WITHOUT_WORKER}` };
  if (facts.killText !== null) return { status: "RESTRICTED", reason: facts.killText };
  if (!facts.isQueueActive) return { status: "PAUSED", reason: "The job queue is paused by an administrator." };
  if (!facts.isAutomationOn)
    return { status: "PAUSED", reason: "The feature flag automation_enabled is off: exits and stops keep working." };
  if (!facts.isWhole) return { status: "DEGRADED", reason: "An invariant of the system is broken." };
  if (facts.silentAccounts > 0) return { status: "DEGRADED", reason: silenceText(facts.silentAccounts) };
  return { status: "RUNNING", reason: null };
}

const silenceText = (accounts: number) =>
  `The broker of ${accounts === 1 ? "1 account" : `${accounts} accounts`} has not answered for more than a minute: nothing new is bought there, and stops that rest at the broker keep working.`;

/** @param successRate 0 to 1; null without calls */
export function providerLabel(successRate: number | null): "Excellent" | "Good" | "Poor" | "No calls" {
  if (successRate === null) return "No calls";
  if (successRate >= 0.95) return "Excellent";
  return successRate >= 0.8 ? "Good" : "Poor";
}

export const toneOfProviderLabel = (label: ReturnType<typeof providerLabel>): Tone =>
  ({ Excellent: "gain", Good: "warn", Poor: "loss", "No calls": "neutral" } as const)[label];

/** What the last check of a provider says, in a word and a colour. */
export function providerState({ configured, working }: { configured: boolean; working: boolean | null }): {
  label: string;
  tone: Tone;
} {
  if (!configured) return { label: "Not configured", tone: "neutral" };
  if (working === null) return { label: "Not checked", tone: "warn" };
  return working ? { label: "Working", tone: "gain" } : { label: "Not working", tone: "loss" };
}

interface UserState {
  isDisabled: boolean;
  /** For all of their accounts. */
  killState: KillStateName;
  /** By themselves, for all of their accounts. */
  isPaused: boolean;
  accounts: readonly { status: string; haltReason: string | null; killState: KillStateName }[];
}

/** How a user's automation is, by the worst of what holds for them and their accounts. */
export function userHealth({ isDisabled, killState, isPaused, accounts }: UserState): { label: string; tone: Tone } {
  if (isDisabled) return { label: "Disabled", tone: "loss" };
  if (accounts.some(({ haltReason }) => haltReason !== null)) return { label: "Halted", tone: "loss" };
  if ([killState, ...accounts.map((account) => account.killState)].some((state) => state !== "NONE"))
    return { label: "Stopped", tone: "loss" };
  if (accounts.length === 0) return { label: "No account", tone: "neutral" };
  if (isPaused || accounts.every(({ status }) => status !== "ACTIVE")) return { label: "Paused", tone: "warn" };
  return { label: "Healthy", tone: "gain" };
}

/** Poor if failed jobs exceed 10 % of all, Fair above 5 %, else Good. */
export function queueHealth(failedJobs: number, totalJobs: number): "Good" | "Fair" | "Poor" {
  const share = totalJobs === 0 ? 0 : failedJobs / totalJobs;
  if (share > 0.1) return "Poor";
  return share > 0.05 ? "Fair" : "Good";
}

export const toneOfQueueHealth = (health: ReturnType<typeof queueHealth>): Tone =>
  ({ Good: "gain", Fair: "warn", Poor: "loss" } as const)[health];

/** risk_on green, risk_off red, anything else neutral. */
export const toneOfRegime = (label: string | null): Tone =>
  label === "risk_on" ? "gain" : label === "risk_off" ? "loss" : "warn";

/** Percent of what was paid in, from an administrator's summary; null where nothing was. */
export function pnlPercent({ totalValue, pnlTotal }: { totalValue: number; pnlTotal: number }): number | null {
  const paidIn = totalValue - pnlTotal;
  return paidIn > 0 ? (100 * pnlTotal) / paidIn : null;
}

export const TIME_RANGES = ["1h", "24h", "7d", "30d"] as const;
export type TimeRange = (typeof TIME_RANGES)[number];

const HOUR_MS = 3_600_000;
export const RANGE_MS: Record<TimeRange, number> = {
  "1h": HOUR_MS,
  "24h": 24 * HOUR_MS,
  "7d": 168 * HOUR_MS,
  "30d": 720 * HOUR_MS,
};

/** The picture before an event of the audit trail, by its heading. */
export const ACTIVITY_ICONS = {
  security: "shield",
  accounts: "wallet",
  orders: "trending-up",
  settings: "settings",
  system: "server",
} as const;
export type ActivityIcon = (typeof ACTIVITY_ICONS)[keyof typeof ACTIVITY_ICONS];

/** Beats come every five seconds; three that are missed are no accident. ms of wall time. */
const LATE_BEAT_MS = 15_000;

export function beatHealth(ageMs: number, silenceMs: number): { label: "Alive" | "Late" | "Silent"; tone: Tone } {
  if (ageMs >= silenceMs) return { label: "Silent", tone: "loss" };
  return ageMs >= LATE_BEAT_MS ? { label: "Late", tone: "warn" } : { label: "Alive", tone: "gain" };
}

/** A machine's clock that is further from the broker's than this trades nothing (core/calendar.ts). ms */
const SKEW_MAX_MS = 5_000;
const SKEW_WARN_MS = 1_000;

export const toneOfSkew = (skewMs: number): Tone =>
  Math.abs(skewMs) > SKEW_MAX_MS ? "loss" : Math.abs(skewMs) > SKEW_WARN_MS ? "warn" : "gain";

/** "just now", "12 s", "3 min", "5 h", "2 d" */
export function ageText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return "just now";
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** "12.3 MB": powers of 1024. */
export function bytesText(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
