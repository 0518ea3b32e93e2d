import { decide } from "@/lib/domain/engine/decide.ts";
import type { AccountState, Plan } from "@/lib/domain/engine/plan.ts";
import type { SessionView } from "@/lib/domain/engine/session-view.ts";
import type { Context } from "../../context.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { accountQa, type AccountQuestion } from "./account-qa.ts";

/** Why a critical QA rule stops the entries of an account ("QA: allocation: …"); null when none does. */
export type QaGate = (question: AccountQuestion) => string | null;

/**
 * The gate of a cycle's selection as it stands now: it stops no account while `qa_live_gate` is off. What cannot be judged counts as failed.
 * Rules that speak of one account are asked of the account that decides: no account is stopped by another's book.
 */
export async function openQaGate({ db }: Pick<Context, "db">, selectionId: string | null): Promise<QaGate> {
  if (!(await isFlagOn({ db }, "qa_live_gate"))) return () => null;
  const stored =
    selectionId === null ? [] : await db.qaResult.findMany({ where: { selectionId }, orderBy: { ruleId: "asc" } });
  if (stored.length === 0) return () => "QA: the rules were not run on this selection";
  return (question) => {
    const own = accountQa(question);
    const ofSelection = stored.filter(({ ruleId }) => own.every((verdict) => verdict.ruleId !== ruleId));
    const isFailing = ({ severity, status }: { severity: string; status: string }) =>
      severity === "critical" && status !== "PASS";
    const failing = [...ofSelection, ...own].find(isFailing);
    return failing === undefined ? null : `QA: ${failing.ruleId}: ${failing.message}`;
  };
}

/**
 * Decides; where QA stops the entries of what came out, decides again with automation off for that reason, so
 * that the gate says it and the record replays.
 */
export function decideWithQa(
  qa: QaGate,
  state: AccountState,
  session: SessionView,
): { state: AccountState; plan: Plan } {
  const { market, policy } = session;
  const plan = decide(state, market, policy, session);
  if (state.automationOff !== null) return { state, plan };
  const automationOff = qa({ state, market, policy, plan });
  if (automationOff === null) return { state, plan };
  const stopped = { ...state, automationOff };
  return { state: stopped, plan: decide(stopped, market, policy, session) };
}
