/**
 * Protocols that are wrong in one place each. Every one of them must be found out by the model; one that is not shows a
 * hole in the checks. `sequences` is the most that finding it may take.
 */
import { isTerminal } from "@/lib/domain/orders.ts";
import { RULES, type Rules } from "./rules.ts";

export interface Mutant {
  name: string;
  /** What is wrong. */
  says: string;
  change: Partial<Rules>;
}

const {
  afterAnswer,
  afterLookup,
  blocksNewOrder,
  closeParked,
  compareLegs,
  executionId,
  intentAfterReport,
  isInFlight,
  isUnresolved,
  isLookupDue,
  markStep,
  orderAfterReport,
  protectingStep,
  recoveryStep,
  refusalToRenew,
  refusalToResume,
  refusalToSend,
  sendClass,
} = RULES;

const withoutKillState: Rules["refusalToSend"] = (switches, leg, epoch, isProtective) =>
  refusalToSend(
    {
      ...switches,
      systemKillState: "NONE",
      userKillState: "NONE",
      isSymbolStopped: false,
      account: { ...switches.account, killState: "NONE" },
    },
    leg,
    epoch,
    isProtective,
  );

const withoutKillStateOfUser: Rules["refusalToSend"] = (switches, leg, epoch) =>
  refusalToSend({ ...switches, userKillState: "NONE" }, leg, epoch);

const withoutSymbolStops: Rules["refusalToSend"] = (switches, leg, epoch) =>
  refusalToSend({ ...switches, isSymbolStopped: false }, leg, epoch);

const mutant = (name: string, says: string, change: Partial<Rules>): Mutant => ({ name, says, change });

const ABOUT_SENDING: Mutant[] = [
  mutant("post-before-mark", "the call goes out before the mark is committed", { marksBeforePost: false }),
  mutant("unconfirmed-commit-believed", "a commit that was not confirmed counts as done", { waitsForCommit: false }),
  mutant("gate-not-asked-again", "a gate that fails at T2 stops nothing", {
    markStep: (status, refusal) => markStep(status, refusal, false),
  }),
  mutant("epoch-not-checked", "a writer that was fenced off may send", {
    refusalToSend: (switches, leg, _, isProtective) =>
      refusalToSend(switches, leg, switches.account.writerEpoch, isProtective),
  }),
  mutant("status-not-compared", "the mark is taken whatever the intent is by now", {
    comparesStatusAtMark: false,
    markStep: (_, refusal, isDenied) => markStep("GATED", refusal, isDenied),
  }),
  mutant("kill-state-ignored", "the kill switch is not read in T2", { refusalToSend: withoutKillState }),
  mutant("kill-state-of-user-ignored", "the kill switch of a person is not read in T2", {
    refusalToSend: withoutKillStateOfUser,
  }),
  mutant("symbol-stop-ignored", "the kill switch of a symbol is not read in T2", { refusalToSend: withoutSymbolStops }),
  mutant("selling-everything-not-taken-back", "a stop that sells everything goes on selling once it is lifted", {
    refusalToSend: (switches, leg, epoch, isProtective) =>
      refusalToSend(switches, leg.purpose === "FLATTEN" ? { ...leg, purpose: "EXIT" } : leg, epoch, isProtective),
  }),
  mutant("halt-ignored", "a halted account sends", {
    refusalToSend: (switches, leg, epoch, isProtective) =>
      refusalToSend({ ...switches, account: { ...switches.account, haltedAt: null } }, leg, epoch, isProtective),
  }),
  mutant("switches-ignored-after-429", "the same id goes out again without another look", {
    refusalToRenew: (status, submitEpoch, epoch) => refusalToRenew(status, submitEpoch, epoch, null),
  }),
  mutant("deadline-ignored", "a process that slept sends what was closed", { mayPost: () => true }),
  mutant("old-mark-believed", "a mark that waited lets its request out without another look", {
    isFreshMark: () => true,
  }),
  mutant("throttled-without-end", "a broker that asks to wait gets requests forever", { mayAskAgain: () => true }),
  mutant("lost-answer-posted-again", "a request without an answer is sent again at once", { postsOnce: false }),
  mutant("purchases-first", "purchases go out before the sales that pay for them", {
    compareLegs: (a, b) => -compareLegs(a, b),
  }),
  mutant("sale-without-waiting", "a sale does not wait until the cancelled stop is final", {
    releaseStep: () => "released",
  }),
];

const ABOUT_ANSWERS: Mutant[] = [
  mutant("5xx-is-a-refusal", "a server error counts as proof", {
    sendClass: (status, code, holdsOrder) =>
      status !== null && status >= 500 ? "rejected" : sendClass(status, code, holdsOrder),
  }),
  mutant("timeout-is-a-refusal", "no answer counts as proof", {
    sendClass: (status, code, holdsOrder) => (status === null ? "rejected" : sendClass(status, code, holdsOrder)),
  }),
  mutant("uncoded-404-is-a-refusal", "a gateway's 404 counts as the broker's word", {
    sendClass: (status, code, holdsOrder) => (status === 404 ? "rejected" : sendClass(status, code, holdsOrder)),
  }),
  mutant("garbage-is-a-refusal", "a 200 that cannot be read counts as no order", {
    sendClass: (status, code, holdsOrder) =>
      status === 200 && !holdsOrder ? "rejected" : sendClass(status, code, holdsOrder),
  }),
  mutant("another-order-believed", "an answer about some other order settles this one", {
    afterAnswer: (answer, status, _, isOnlySend) => afterAnswer(answer, status, true, isOnlySend),
  }),
  mutant("late-answer-overwrites", "an answer changes what was settled meanwhile", {
    afterAnswer: (answer, _, isSame, isOnlySend) => afterAnswer(answer, "SUBMITTING", isSame, isOnlySend),
  }),
  mutant("refused-keys-go-on", "refused keys do not halt the account", {
    afterAnswer: (answer, status, isSame, isOnlySend) => ({
      ...afterAnswer(answer, status, isSame, isOnlySend),
      halts: false,
    }),
  }),
];

const ABOUT_UNKNOWNS: Mutant[] = [
  mutant("sent-again", "what was not found within the window is sent again with its id", { sendsAgain: true }),
  mutant("lookup-dropped", "what is unknown is closed without a lookup", {
    afterLookup: (facts) => (facts.status === "PARKED" ? afterLookup(facts) : "park"),
  }),
  mutant("settle-window-dropped", "one question without an answer is enough", {
    afterLookup: (facts) => afterLookup({ ...facts, settleWindowMs: 0 }),
  }),
  mutant("404-is-proof", "an order that a lookup does not find never existed", {
    afterLookup: (facts) => (facts.isFound ? "adopt" : "expire"),
  }),
  mutant("adopted-without-comparing", "any order with our id is ours", { identityMismatch: () => null }),
  mutant("parked-as-rejected", "an unresolved intent ends as a refusal", { parksAs: "REJECTED" }),
  mutant("parked-expires-at-once", "a parked order expires inside its session", {
    afterLookup: (facts) =>
      afterLookup({
        ...facts,
        isSessionOver: true,
        settleWindowMs: facts.status === "PARKED" ? 0 : facts.settleWindowMs,
      }),
  }),
  mutant("parked-not-asked-for", "a parked order is never asked for again", {
    isLookupDue: (status, nextAskAt, now, isImpatient) =>
      status !== "PARKED" && isLookupDue(status, nextAskAt, now, isImpatient),
  }),
  mutant("dead-sender-not-asked-for", "a submission past its deadline is left alone", {
    isUnresolved: (status, deadline, now) => status !== "SUBMITTING" && isUnresolved(status, deadline, now),
  }),
  mutant("closed-while-it-may-turn-up", "a person may close a parked order at any time", {
    closeParked: (facts) => closeParked({ ...facts, canStillTurnUp: false }),
  }),
  mutant("resumed-with-unknowns", "a person may resume with an order in the air", { refusalToResume: () => null }),
  mutant("resumed-over-a-question", "a person may resume while an order waits for their word", {
    refusalToResume: (intents, isReconciled) =>
      refusalToResume(
        intents.filter(({ status }) => status !== "PARKED"),
        isReconciled,
      ),
  }),
  mutant("new-order-beside-an-unknown", "an order whose outcome is unknown does not stand in the way", {
    blocksNewOrder: (status, isProtective) =>
      status !== "UNKNOWN" && status !== "SUBMITTING" && blocksNewOrder(status, isProtective),
    isInFlight: (status) => status !== "UNKNOWN" && status !== "SUBMITTING" && isInFlight(status),
    hasLiveIndex: false,
  }),
  mutant("new-order-beside-a-parked-one", "a parked order does not stand in the way", {
    blocksNewOrder: (status) => status !== "PARKED" && blocksNewOrder(status),
    isInFlight: (status) => status !== "PARKED" && isInFlight(status),
  }),
  mutant("leg-recorded-twice", "a plan that is handed out again makes its legs again", {
    hasLegIndex: false,
    hasLiveIndex: false,
    blocksNewOrder: () => false,
  }),
];

const ABOUT_RECOVERY_AND_BOOKS: Mutant[] = [
  mutant("recovery-skips-unknowns", "what a dead worker was sending stays as it is", {
    recoveryStep: (status, hasPassedGate) => (status === "SUBMITTING" ? "keep" : recoveryStep(status, hasPassedGate)),
  }),
  mutant("recovery-sends", "recovery sends what was recorded and never marked", { recoverySends: true }),
  mutant("work-before-recovery", "new work begins before the books were read", { recoversBeforeWork: false }),
  mutant("fills-not-deduped", "the same execution is booked as often as it is reported", {
    executionId: (order, cumulative) => `${executionId(order, cumulative)}#${(copies += 1)}`,
  }),
  mutant("fills-named-by-quantity", "executions of different orders share a name", {
    executionId: (_, cumulative) => cumulative,
  }),
  mutant("cancel-is-the-end", "an order counts as cancelled as soon as that was asked for", { waitsForTheEnd: false }),
  mutant("fill-torn", "a fill and what follows from it are two transactions", { booksFillsWhole: false }),
  mutant("order-goes-backwards", "older news overwrites newer", {
    orderAfterReport: (known, reported) => (known !== null && isTerminal(known) ? known : reported),
  }),
  mutant("final-order-reopens", "news of an open order reopens one that ended", {
    orderAfterReport: (known, reported, isOlder) =>
      known !== null && isTerminal(known) ? reported : orderAfterReport(known, reported, isOlder),
  }),
  mutant("intent-does-not-follow", "the end of an order is not the end of its intent", {
    intentAfterReport: (status, order, rival) =>
      isTerminal(order) && status === "LIVE" ? { status: null, halts: false } : intentAfterReport(status, order, rival),
  }),
  mutant("external-not-imported", "an order placed elsewhere is not taken into the books", { importsExternal: false }),
  mutant("watermark-without-overlap", "lists are read from the watermark on", { readFromMs: (watermark) => watermark }),
];
let copies = 0;

const ABOUT_PROTECTION: Mutant[] = [
  mutant("stop-not-owed", "a stop is cancelled and nothing says that it is owed", { owesBeforeCancel: false }),
  mutant("sale-leaves-its-debt", "a sale that was refused does not put its stops back", { paysAfterSale: false }),
  mutant("recovery-leaves-debts", "stops that the last process cancelled stay cancelled", { paysInRecovery: false }),
  mutant("rounds-protect-nothing", "stops are restored only after sales and in recovery", { protectsInRounds: false }),
  mutant("halt-stops-protection", "a halted account leaves its shares bare", {
    refusalToSend: (switches, leg, epoch) => refusalToSend(switches, leg, epoch),
  }),
  mutant("parked-sale-stops-protection", "a parked sale leaves the shares bare until a person comes", {
    blocksNewOrder: (status) => blocksNewOrder(status),
  }),
  mutant("held-leg-is-a-stop", "a leg that waits for the rest of its entry counts as protection", {
    isArmed: () => true,
  }),
  mutant("filling-entry-keeps-its-rest", "an entry that stands partly filled is waited for as long as it takes", {
    fillingStep: () => "wait",
  }),
  mutant("small-stop-is-enough", "a stop for fewer shares than are held is left alone", {
    protectingStep: (sale) => (sale.status === "LIVE" && sale.isProtective ? "wait" : protectingStep(sale)),
  }),
  mutant("sale-keeps-its-rest", "a sale that leaves shares bare is waited for as long as it takes", {
    protectingStep: (sale) => (sale.status === "LIVE" && !sale.isProtective ? "wait" : protectingStep(sale)),
  }),
  mutant("lost-sale-not-looked-for", "a lost sale is parked although the broker may keep shares for it", {
    protectingStep: (sale) => protectingStep({ ...sale, mayBeThere: false }),
  }),
];

export const MUTANTS: readonly Mutant[] = [
  ...ABOUT_SENDING,
  ...ABOUT_ANSWERS,
  ...ABOUT_UNKNOWNS,
  ...ABOUT_RECOVERY_AND_BOOKS,
  ...ABOUT_PROTECTION,
];
