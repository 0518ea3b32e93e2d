import { expect, it } from "vitest";
import { POLICY_2_9_0 } from "../policy.ts";
import { type ExecutionSwitches, type PlanInHand, refusalToDecide, refusalToExecute, tradedValue } from "./approval.ts";
import { rotationConfigInForce, rotationConfigOf } from "./config.ts";

const plan: PlanInHand = {
  approvalStatus: "APPROVED",
  closedAs: null,
  version: 1,
  isAdvisoryOnly: false,
  expiresAt: "2020-02-04T21:00:00.000Z",
};
const asked = { version: 1, marketNow: "2020-02-04T20:59:59.999Z" };
const switches: ExecutionSwitches = {
  isEnabled: true,
  isAdvisoryNow: false,
  isAutomationOn: true,
  isQueueActive: true,
  killState: "NONE",
  isAsPlanned: true,
  hasPurchases: true,
  qa: [{ ruleId: "allocation", status: "PASS", message: "holds" }],
};

it("an approved plan may be executed when nothing stands against it, and each thing alone refuses it in words", () => {
  expect(refusalToExecute(plan, asked, switches)).toBeNull();
  const reasons = [
    ...(
      [
        { approvalStatus: "PENDING" },
        { approvalStatus: "REJECTED" },
        { approvalStatus: "EXECUTED" },
        { closedAs: "expired" },
        { closedAs: "superseded" },
        { version: 2 },
        { isAdvisoryOnly: true },
        { expiresAt: asked.marketNow },
      ] as Partial<PlanInHand>[]
    ).map((change) => refusalToExecute({ ...plan, ...change }, asked, switches)),
    ...(
      [
        { isEnabled: false },
        { isAdvisoryNow: true },
        { isAutomationOn: false },
        { isQueueActive: false },
        { killState: "REDUCE_ONLY" },
        { isAsPlanned: false },
        { qa: [] },
        { qa: [{ ruleId: "allocation", status: "FAIL", message: "AAA is 9.0 %" }] },
        { qa: [{ ruleId: "allocation", status: "UNKNOWN", message: "no portfolio is known" }] },
      ] as Partial<ExecutionSwitches>[]
    ).map((change) => refusalToExecute(plan, asked, { ...switches, ...change })),
  ];
  expect(reasons.every((reason) => reason !== null && reason.endsWith(".") === !reason.startsWith("QA rule"))).toBe(
    true,
  );
  // An expired plan says the same whether it was closed already or not.
  expect(new Set(reasons).size).toBe(reasons.length - 1);
});

it("what only sells is not held back by QA", () => {
  expect(refusalToExecute(plan, asked, { ...switches, hasPurchases: false, qa: [] })).toBeNull();
});

it("only a pending plan is decided, of the version that was looked at and before it expires", () => {
  const pending: PlanInHand = { ...plan, approvalStatus: "PENDING" };
  expect(refusalToDecide(pending, asked)).toBeNull();
  expect(refusalToDecide(pending, { ...asked, version: null })).toBeNull();
  expect(refusalToDecide(pending, { ...asked, version: 0 })).toContain("changed");
  expect(refusalToDecide(pending, { ...asked, marketNow: plan.expiresAt })).toContain("expired");
  expect(refusalToDecide(plan, asked)).toContain("approved already");
});

it("the traded value is that of all legs at their decision prices, sells and purchases alike", () => {
  const legs = [
    { qty: "10", decisionPrice: "100.5" },
    { qty: "0.5", decisionPrice: "20" },
  ];
  expect(tradedValue(legs).toFixed()).toBe("1015");
});

it("the policy says the numbers; a setting takes the place of the cadence and only tightens the limits", () => {
  const none = { advisoryOnly: false, cadenceDays: null, turnoverCapPctPerPeriod: null, costAwareThresholdBps: null };
  const ofPolicy = { advisoryOnly: false, cadenceDays: 14, turnoverCapPctPerPeriod: 30, costAwareThresholdBps: 10 };
  expect(rotationConfigInForce(none, POLICY_2_9_0)).toEqual(ofPolicy);
  expect(rotationConfigOf(POLICY_2_9_0)).toEqual(ofPolicy);
  const set = { advisoryOnly: true, cadenceDays: 1, turnoverCapPctPerPeriod: 20, costAwareThresholdBps: 25 };
  expect(rotationConfigInForce(set, POLICY_2_9_0)).toEqual(set);
  const loose = { ...none, turnoverCapPctPerPeriod: 80, costAwareThresholdBps: 1 };
  expect(rotationConfigInForce(loose, POLICY_2_9_0)).toEqual(ofPolicy);
});
