import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { BACKTEST_BOUNDS, type backtestsApi } from "@/lib/contracts/backtests.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { dateText, moneyText } from "@/lib/domain/format.ts";
import { text } from "@/lib/domain/money.ts";
import { addDays } from "@/lib/domain/time.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { asJson } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { dateOf } from "../../rows.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { isRotationTraded, readConfigRow } from "../rotation/config-row.ts";
import { rowView } from "./backtest-view.ts";
import { preferencesOf } from "./preferences-of.ts";
import { tradableSessions, whyNot } from "./read-options.ts";

type Input = Received<typeof backtestsApi.create>;

/** Queues a run and wakes the worker. What it decides with is written down now: later changes of preferences or policy do not touch it. */
export async function createBacktest(
  context: Context<"user">,
  input: Input,
): Promise<Given<typeof backtestsApi.create>> {
  const { actor, db, now, queue } = context;
  const { userId } = actor;
  await requireDates(context, input);
  const { version } = await activePolicy(context);
  const rotation = await readConfigRow(db);
  const { market, from, to, cash, settings } = input;
  const row = await db.$transaction(async (tx) => {
    // Two requests at once take turns here, so the limits hold for both.
    await tx.$queryRaw`select 1 from "User" where "id" = ${userId}::uuid for update`;
    const [kept, waiting] = await Promise.all([
      tx.backtest.count({ where: { userId, deletedAt: null } }),
      tx.backtest.count({ where: { userId, status: "QUEUED" } }),
    ]);
    if (waiting >= BACKTEST_BOUNDS.waiting)
      throw new Failure(
        "conflict",
        `${waiting} of your backtests are already waiting. Cancel one, or wait until one has started.`,
      );
    if (kept >= BACKTEST_BOUNDS.kept)
      throw new Failure("conflict", `You have ${kept} backtests, which is the maximum. Delete one to run another.`);
    return tx.backtest.create({
      data: {
        userId,
        name: input.name || nameOf(settings),
        market,
        strategy: settings.strategy,
        fromDate: dateOf(from),
        toDate: dateOf(to),
        cash: text(cash),
        preferences: asJson(preferencesOf(settings)),
        policyVersion: version,
        // As it would be traded live now: a preview trades nothing.
        hasRotation: isRotationTraded(rotation),
        createdAt: now(),
      },
      omit: { record: true },
    });
  });
  await queue.enqueue(jobs.backtestRun, {});
  return rowView(row, now());
}

/** Dates stand beside a name wherever it is shown; what tells runs apart are their limits. */
function nameOf({ strategy, maxPositions, maxPositionValue, profitTarget, stopLoss }: Input["settings"]): string {
  const limits = `${maxPositions} × ${moneyText(maxPositionValue.toNumber()).replace(".00", "")}`;
  return `${STRATEGIES[strategy].label}, ${limits}, target ${text(profitTarget)}%, stop ${text(stopLoss)}%`;
}

const LATEST: Record<Input["market"], (last: string) => string> = {
  PRACTICE: (last) => `The last session that has closed is ${last}.`,
  US: (last) =>
    `The last day that can be traded is ${last}: the bars of a US day are final after midnight in New York.`,
};

async function requireDates(context: Context<"user">, { market, from, to }: Input): Promise<void> {
  const reason = await whyNot(context, market);
  if (reason !== null) refuse("market", reason);
  if (from > to) refuse("to", "The last day must not lie before the first.");
  if (addDays(from, BACKTEST_BOUNDS.days.max) < to)
    refuse("to", `A backtest may span ${BACKTEST_BOUNDS.days.max} days at most.`);
  const { first, last, all } = await tradableSessions(context, market);
  if (from < first)
    refuse(
      "from",
      `The first day that can be traded is ${dateText(first)}: before it, stocks have too little history.`,
    );
  if (to > last) refuse("to", LATEST[market](dateText(last)));
  if (!all.some((session) => session >= from && session <= to))
    refuse("to", `The market was closed from ${dateText(from)} to ${dateText(to)}.`);
}

function refuse(path: string, message: string): never {
  throw new Failure("invalid_input", message, { issues: [{ path, message }] });
}
