import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import type { KillSourceName, KillStateName } from "@/lib/domain/enums.ts";
import { money, text, ZERO, type Money } from "@/lib/domain/money.ts";
import { OUTCOME_UNKNOWN } from "@/lib/domain/protocol/intent-states.ts";
import { waitsForPerson } from "@/lib/domain/protocol/recovery.ts";
import type { Context } from "../../context.ts";
import { strictness } from "@/lib/domain/kill-strictness.ts";
import { isOwnersClosing } from "../automation/keep-account.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";
import { accountColumns, accountView } from "./account-view.ts";
import { haltAdvice } from "./halt-advice.ts";

type Listed = Given<typeof accountsApi.list>;

const MOST_QUESTIONS = 50;

export async function listAccounts({ actor, db }: Context<"user">): Promise<Listed> {
  const rows = await db.account.findMany({
    where: { userId: actor.userId, deletedAt: null },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: {
      ...accountColumns,
      killState: true,
      killReason: true,
      killSource: true,
      ...{ closingAt: true, closingSource: true },
      reconciledAt: true,
      figures: { select: { equity: true, asOf: true } },
      user: { select: { killState: true, killReason: true } },
    },
  });
  const ids = rows.map(({ id }) => id);
  const [held, intents] = await Promise.all([
    db.position.groupBy({
      by: ["accountId", "strategy"],
      where: { accountId: { in: ids } },
      _count: true,
      _sum: { marketValue: true },
    }),
    db.intent.findMany({
      where: { accountId: { in: ids }, status: { in: [...OUTCOME_UNKNOWN] } },
      orderBy: { decidedAt: "asc" },
      take: MOST_QUESTIONS,
    }),
  ]);
  return rows.map(
    ({ killState, killReason, killSource, user, closingAt, closingSource, reconciledAt, figures, ...row }) => {
      const groups = held.filter(({ accountId }) => accountId === row.id);
      const own = groups.filter(({ strategy }) => strategy !== null);
      return {
        ...accountView(row),
        haltAdvice: haltAdvice(row.haltReason),
        stop: stopOf({ killState, killReason, killSource }, user),
        isClosing: closingAt !== null,
        canKeep: isOwnersClosing({ closingAt, closingSource, killSource }),
        reconciledAt,
        equity: figures === null ? null : text(figures.equity.toString()),
        equityAsOf: figures?.asOf ?? null,
        positions: {
          count: countOf(own),
          value: own.reduce<Money>((sum, { _sum }) => sum.plus(money(_sum.marketValue?.toString() ?? 0)), ZERO),
        },
        otherPositions: countOf(groups) - countOf(own),
        openQuestions: intents
          .filter(({ accountId }) => accountId === row.id)
          .map((intent) => ({
            what: `${intent.side} ${text(intent.qty.toString())} ${intent.symbol}`,
            needsPerson: waitsForPerson(intent),
            why: intent.lastError,
            decidedAt: intent.decidedAt,
          })),
      };
    },
  );
}

interface Stop {
  killState: KillStateName;
  killReason: string | null;
}

/** The stricter of the account's stop and of an administrator's for all accounts of the person: the one to be lifted first. */
function stopOf(own: Stop & { killSource: KillSourceName | null }, ofUser: Stop): Listed[number]["stop"] {
  const isOfUser = ofUser.killState !== "NONE" && strictness(ofUser.killState) >= strictness(own.killState);
  const { killState, killReason } = isOfUser ? ofUser : own;
  if (killState === "NONE") return null;
  return {
    state: killState,
    source: isOfUser ? "ADMIN" : own.killSource,
    text: [KILL_STATE_TEXT[killState], killReason].join(" ").trim(),
  };
}

const countOf = (groups: { _count: number }[]) => groups.reduce((sum, { _count }) => sum + _count, 0);
