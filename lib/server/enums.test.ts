import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as domain from "@/lib/domain/enums.ts";
import * as stored from "@/lib/generated/prisma/enums.ts";

/** The sets that the database stores too, by the name of the enum. */
const LIST_OF: Partial<Record<keyof typeof stored, readonly string[]>> = {
  Role: domain.ROLES,
  AccessTokenScope: domain.ACCESS_TOKEN_SCOPES,
  AccountType: domain.ACCOUNT_TYPES,
  Environment: domain.ACCOUNT_ENVIRONMENTS,
  EnvironmentLabel: domain.ENVIRONMENTS,
  BrokerKind: domain.BROKERS,
  AccountAccess: domain.ACCOUNT_ACCESSES,
  Market: domain.MARKETS,
  AccountStatus: domain.ACCOUNT_STATUSES,
  KillState: domain.KILL_STATES,
  KillSource: domain.KILL_SOURCES,
  Strategy: domain.STRATEGY_NAMES,
  RiskLevel: domain.RISKS,
  Side: domain.SIDES,
  IntentPurpose: domain.INTENT_PURPOSES,
  IntentStatus: domain.INTENT_STATUSES,
  OrderOrigin: domain.ORDER_ORIGINS,
  OrderRole: domain.ORDER_ROLES,
  OrderClass: domain.ORDER_CLASSES,
  OrderType: domain.ORDER_TYPES,
  OrderStatus: domain.ORDER_STATUSES,
  TripOutcome: domain.TRIP_OUTCOMES,
  InsightKind: domain.INSIGHT_KINDS,
  InsightState: domain.INSIGHT_STATES,
  Regime: domain.REGIMES,
  SeatKind: domain.SEAT_KINDS,
  EarningsTime: domain.EARNINGS_TIMES,
  PriceFigure: domain.PRICE_FIGURES,
  QaStatus: domain.QA_STATUSES,
  Severity: domain.SEVERITIES,
  PlanStatus: domain.PLAN_STATUSES,
  PolicyStatus: domain.POLICY_STATUSES,
  BacktestStatus: domain.RUN_STATUSES,
  WhatIfStatus: domain.RUN_STATUSES,
  GridAxis: domain.GRID_AXES,
  NotificationKind: domain.NOTIFICATION_KINDS,
  DeliveryChannel: domain.DELIVERY_CHANNELS,
  FlagEnvironment: domain.FLAG_ENVIRONMENTS,
  LogLevel: domain.LOG_LEVELS,
};

/** Enums that one service stores and no other file speaks of. */
const OF_ONE_SERVICE = [
  ...["ChallengeKind", "TokenKind", "ActivitySettlement", "CallSpan", "CycleStatus", "ApprovalKind"],
  ...["FillSource", "GatePhase", "ManualOrderKind", "QaRule", "RunOutcome", "TimeInForce"],
];

describe("the closed sets", () => {
  it.each(Object.entries(LIST_OF))("%s has the same members in the database and in the domain", (name, list) => {
    expect(new Set(Object.values(stored[name as keyof typeof stored]))).toEqual(new Set(list));
  });

  it("hold every enum of the database that more than one service speaks of", () => {
    expect(Object.keys(stored).sort()).toEqual([...Object.keys(LIST_OF), ...OF_ONE_SERVICE].sort());
  });

  it("are typed once: no file writes one of them out again as a union, a z.enum or a constant list", () => {
    const sets = new Set(Object.values(domain).map(keyOf));
    const again = ["app", "emails", "lib", "workers"].flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: "utf8" })
        .map((path) => `${room}/${path}`)
        .filter((path) => /\.tsx?$/.test(path) && path !== "lib/domain/enums.ts" && !BESIDE.test(path))
        .flatMap((path) => writtenOut(readFileSync(path, "utf8")).map((members) => ({ path, members })))
        .filter(({ members }) => sets.has(keyOf(members)))
        .map(({ path, members }) => `${path}: ${members.join(", ")}`),
    );
    expect(again).toEqual([]);
  });
});

/** Generated code, the exchange with its own words, what only proves, and tests, which write out what they expect. */
const BESIDE = /^lib\/(generated|exchange|proof)\/|^workers\/cli\/|\.test\.tsx?$/;

const keyOf = (members: readonly (string | number)[]) => members.map(String).sort().join();

/** The unions of texts, and the lists of texts in `z.enum([…])` and `[…] as const`. */
function writtenOut(source: string): string[][] {
  const found = [
    ...source.matchAll(/"\w+"(?:\s*\|\s*"\w+")+/g),
    ...source.matchAll(/z\.enum\(\[((?:\s*"\w+",?)+)\s*\]/g),
    ...source.matchAll(/\[(?:\s*"\w+",?)+\s*\] as const/g),
  ];
  return found.map(([text]) => [...text.matchAll(/"(\w+)"/g)].map(([, member = ""]) => member));
}
