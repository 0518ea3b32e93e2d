import type { Context } from "../../context.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { accountQa, type AccountQuestion } from "./account-qa.ts";

/**
 * Why a critical QA rule stops the entries of this account in this cycle ("QA: allocation: …"); null when none
 * does, or while `qa_live_gate` is off. What cannot be judged counts as failed. Rules that speak of one account
 * are asked of the account that decides: no account is stopped by another's book.
 */
export async function qaStop(
  { db }: Pick<Context, "db">,
  { selectionId, ...question }: AccountQuestion & { selectionId: string | null },
): Promise<string | null> {
  if (!(await isFlagOn({ db }, "qa_live_gate"))) return null;
  const stored =
    selectionId === null ? [] : await db.qaResult.findMany({ where: { selectionId }, orderBy: { ruleId: "asc" } });
  if (stored.length === 0) return "QA: the rules were not run on this selection";
  const own = accountQa(question);
  const ofSelection = stored.filter(({ ruleId }) => own.every((verdict) => verdict.ruleId !== ruleId));
  const failing = [...ofSelection, ...own].find(({ severity, status }) => severity === "critical" && status !== "PASS");
  return failing === undefined ? null : `QA: ${failing.ruleId}: ${failing.message}`;
}
