import { beforeEach, expect, it } from "vitest";
import type { QaRuleId } from "@/lib/domain/qa/rule.ts";
import { decide } from "@/lib/domain/engine/decide.ts";
import {
  exampleAccount,
  exampleMarket,
  examplePosition,
  exampleSeat,
  exampleSymbol,
} from "@/lib/proof/example-market.ts";
import type { AccountState, Plan } from "@/lib/domain/engine/plan.ts";
import type { QaStatusName } from "@/lib/domain/enums.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { db } from "../../db.ts";
import { dateOf } from "../../rows.ts";
import { systemContext } from "../../system-context.ts";
import { ensureFlags } from "../flags/ensure-flags.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { openQaGate } from "./qa-gate.ts";

const context = systemContext("test");
const market = exampleMarket([exampleSymbol("AAA")], [exampleSeat("AAA")]);
let selectionId: string;

const setGate = (enabled: boolean) =>
  db().featureFlag.updateMany({ where: { name: "qa_live_gate" }, data: { enabled } });

const store = (ruleId: QaRuleId, severity: "critical" | "high", status: QaStatusName) =>
  db().qaResult.create({
    data: { ruleId, severity, status, message: "said", expected: "", actual: "", selectionId, at: new Date() },
  });

async function ask(change: Partial<AccountState> = {}, planned: Partial<Plan> = {}) {
  const state = exampleAccount(change);
  const plan = { ...decide(state, market, POLICY_2_9_0), ...planned };
  return (await openQaGate(context, selectionId))({ state, market, policy: POLICY_2_9_0, plan });
}

const tooLarge = { positions: [examplePosition("AAA", { qty: "90" })] };

beforeEach(async () => {
  await activePolicy(context);
  await ensureFlags(context);
  await db().selection.deleteMany();
  const row = { market: "PRACTICE" as const, sessionDate: dateOf("2020-02-03"), policyVersion: "2.9.0" };
  selectionId = (await db().selection.create({ data: { ...row, metadata: {}, memory: {} } })).id;
  await setGate(true);
});

it("is off by default: nothing is stopped", async () => {
  await db().featureFlag.deleteMany();
  await ensureFlags(context);
  expect(await ask(tooLarge)).toBeNull();
});

it("lets a decision pass when no critical rule fails, and other failures are no reason", async () => {
  await store("swap_limits", "high", "FAIL");
  expect(await ask()).toBeNull();
});

it("stops an account whose own book fails a critical rule, and says which", async () => {
  await store("swap_limits", "high", "PASS");
  expect(await ask(tooLarge)).toMatch(/^QA: allocation: AAA is 9\.0 %/);
});

it("another account's book in the stored results stops no other account", async () => {
  await store("allocation", "critical", "FAIL");
  expect(await ask()).toBeNull();
});

it("a critical rule of the selection that failed or could not be judged stops everyone", async () => {
  await store("sector_quotas", "critical", "UNKNOWN");
  expect(await ask()).toBe("QA: sector_quotas: said");
});

it("a selection on which nothing was run counts as failed", async () => {
  expect(await ask()).toMatch(/not run/);
});

it("an entry below the line of conviction stops the account that plans it, and only while the gate is on", async () => {
  await store("swap_limits", "high", "PASS");
  const { orders } = decide(exampleAccount(), market, POLICY_2_9_0);
  const entry = orders.find(({ purpose }) => purpose === "ENTRY");
  if (!entry) throw new Error("the example plans no entry");
  const weak = { orders: [{ ...entry, confidence: 0.1 }] };
  expect(await ask({}, weak)).toMatch(/^QA: conviction_gates: AAA has a confidence of 0\.100/);
  await setGate(false);
  expect(await ask({}, weak)).toBeNull();
  await setGate(true);
  expect(await ask()).toBeNull();
});
