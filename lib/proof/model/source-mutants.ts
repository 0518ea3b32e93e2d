/**
 * Mutants of the services themselves, wrong in one place each. The named test of each must fail; one that
 * does not is a hole in the tests, not in the protocol.
 */
import { EVIDENCE_MUTANTS } from "./evidence-mutants.ts";
import { PROTECTION_MUTANTS } from "./protection-mutants.ts";
import { RISK_MUTANTS } from "./risk-mutants.ts";

export interface SourceMutant {
  name: string;
  file: string;
  find: string;
  replace: string;
  project: "unit" | "services";
  testFile: string;
  /** The beginning of the name of the test that must fail. */
  test: string;
}

const SERVICES = "lib/server/services";
const ORDERS = `${SERVICES}/orders`;
const SUBMIT = `${ORDERS}/submit-plan.services.test.ts`;
const CRASH = `${SERVICES}/sync/crash-recovery.services.test.ts`;
const PROTOCOL = "lib/domain/protocol/protocol.test.ts";

const service = (
  name: string,
  file: string,
  [find, replace]: [find: string, replace: string],
  test: string,
  testFile = SUBMIT,
): SourceMutant => ({ name, file: `${SERVICES}/${file}`, find, replace, project: "services", testFile, test });

export const SOURCE_MUTANTS: readonly SourceMutant[] = [
  {
    name: "coded-5xx-is-proof",
    file: "lib/domain/protocol/answer.ts",
    find: "code === null || !REFUSALS.has(status)",
    replace: "code === null",
    project: "unit",
    testFile: PROTOCOL,
    test: "a server error is no proof",
  },
  {
    name: "deadline-is-inclusive",
    file: "lib/domain/protocol/mark.ts",
    find: "nowMs < deadlineMs",
    replace: "nowMs <= deadlineMs",
    project: "unit",
    testFile: PROTOCOL,
    test: "at the deadline itself it is too late",
  },
  {
    name: "table-of-states-not-asked",
    file: `${ORDERS}/change-intents.ts`,
    find: "if (forbidden !== undefined) throw",
    replace: "if (forbidden === to) throw",
    project: "unit",
    testFile: `${ORDERS}/change-intents.test.ts`,
    test: "goes only where the table of states lets it",
  },
  {
    name: "rule-of-resuming-not-asked",
    file: "lib/server/services/automation/unresolved-orders.ts",
    find: "switch (refusalToResume(intents, reconciledAt !== null)) {",
    replace: "switch (refusalToResume([], reconciledAt !== null)) {",
    project: "services",
    testFile: "lib/server/services/automation/resume-account.services.test.ts",
    test: "is refused while the broker is still asked about an order",
  },
  service(
    "switches-not-read-at-the-mark",
    "orders/mark-submitting.ts",
    ["markStep(intent.status, refusal, failing !== undefined)", "markStep(intent.status, null, failing !== undefined)"],
    "the system's kill switch thrown between decision and call",
  ),
  service(
    "gates-not-read-at-the-mark",
    "orders/mark-submitting.ts",
    ["markStep(intent.status, refusal, failing !== undefined)", "markStep(intent.status, refusal, false)"],
    "a gate that fails at the second asking",
  ),
  service(
    "switches-not-read-after-429",
    "orders/mark-submitting.ts",
    ["refusalToRenew(status, submitEpoch, epoch, refusal)", "refusalToRenew(status, submitEpoch, epoch, null)"],
    "the kill switch thrown while the broker asks to wait",
  ),
  service(
    "switches-read-before-the-locks",
    "orders/mark-submitting.ts",
    [
      "const intent = await lockToSend(tx, { id: intentId, accountId });\n    const switches = await readSwitches(tx, accountId, intent.symbol);",
      "const switches = await readSwitches(tx, accountId, null);\n    const intent = await lockToSend(tx, { id: intentId, accountId });",
    ],
    "the system's kill switch",
    `${ORDERS}/last-look.services.test.ts`,
  ),
  service(
    "settle-window-not-begun-again",
    "orders/mark-submitting.ts",
    ["data: { submittedAt: now, submitDeadline", "data: { submitDeadline"],
    "after a wait that the broker asked for, the settle window",
  ),
  service(
    "deadline-not-read",
    "orders/send-leg.ts",
    ["const isLate = () => !mayPost(", "const isLate = () => intent.leg < 0 && !mayPost("],
    "a process that slept past its deadline",
  ),
  service(
    "old-mark-believed",
    "orders/send-leg.ts",
    ["if (requests > 1 || !isFreshMark(", "if (requests > 1 || requests > 9 && !isFreshMark("],
    "an order that waits behind other work of its account",
  ),
  service(
    "parked-does-not-block",
    "orders/record-intent.ts",
    [
      "if (await isBlocked(tx, account.id, order, isProtective)) return null;",
      "await isBlocked(tx, account.id, order, isProtective);",
    ],
    "a parked order stands in the way",
  ),
  service(
    "list-not-walked",
    "sync/resolve-unknown-orders.ts",
    ["found = await walkOrders(broker, intent);", "await walkOrders(broker, intent);"],
    "a lookup that lags behind is no proof",
  ),
  service(
    "settle-window-not-waited-for",
    "sync/resolve-unknown-orders.ts",
    ["waitedMs: waitedMs(context, intent),", "waitedMs: context.now().getTime(),"],
    "the connection drops before the order was taken",
  ),
  service(
    "answered-question-asked-for-ever",
    "orders/record-outcome.ts",
    ['await changeIntents(tx, { id: intentId }, { from: ["PARKED"], to: "PARKED", data: { nextAskAt: null } });', ";"],
    "a parked order whose id another client used",
  ),
  {
    name: "adopted-without-comparing",
    file: "lib/domain/protocol/lineage.ts",
    find: "if (mismatch !== null) return",
    replace: "if (mismatch === undefined) return",
    project: "services",
    testFile: SUBMIT,
    test: "an order that has our id already is adopted when it is the same",
  },
  service(
    "released-before-the-cancel-ended",
    "orders/cancel-resting-orders.ts",
    ['if (step === "released") return order;', "if (order !== null) return order;"],
    "a sale waits until the cancel of its stop has ended",
    `${ORDERS}/protect-positions.services.test.ts`,
  ),
  service(
    "stop-not-owed-before-its-cancel",
    "orders/cancel-resting-orders.ts",
    ["await recordOwedStops(context, account.id, symbol, owed, resting);", ""],
    "a sale that the broker refuses",
    `${ORDERS}/protect-positions.services.test.ts`,
  ),
  service(
    "recovery-skips-what-was-being-sent",
    "sync/recover-account.ts",
    ['these(stepOf("ask"))', "these([])"],
    "between mark and call: the next worker asks at once",
    CRASH,
  ),
  service(
    "unsent-not-given-up",
    "sync/recover-account.ts",
    ['these(stepOf("halt"))', "these([])"],
    "before anything was sent: the decision is halted",
    CRASH,
  ),
  ...PROTECTION_MUTANTS,
  ...RISK_MUTANTS,
  ...EVIDENCE_MUTANTS,
];
