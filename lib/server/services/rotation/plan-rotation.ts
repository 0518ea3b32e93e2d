import type { AccountEnvironment, MarketName } from "@/lib/domain/enums.ts";
import { qaOfRotation, runQa } from "@/lib/domain/qa/run-qa.ts";
import { rotationConfigInForce } from "@/lib/domain/rotation/config.ts";
import { planRotation, rotationDue, takesPartInRotation } from "@/lib/domain/rotation.ts";
import type { RotationConfigView } from "@/lib/domain/rotation/proposal.ts";
import type { MarketView } from "@/lib/domain/engine/plan.ts";
import type { Context } from "../../context.ts";
import { dateOf, sessionOf } from "../../rows.ts";
import { marketMoment } from "../../core/calendar.ts";
import { asRecorded, storeMarketView } from "../cycles/market-record.ts";
import { viewOf } from "../cycles/run-screening.ts";
import { openSessionBook, type SessionBook } from "../cycles/session-book.ts";
import type { Account } from "../../core/row-types.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { readConfigRow, settingOf } from "./config-row.ts";
import { loadStates } from "./load-states.ts";
import { readKpis } from "./read-kpis.ts";
import { closeExpired, storePlan } from "./store-plan.ts";

/** LIVE and PAPER figures are never added, so each has a plan of its own; the practice market knows PAPER alone. */
const ENVIRONMENTS_OF: Record<MarketName, readonly AccountEnvironment[]> = {
  PRACTICE: ["PAPER"],
  US: ["LIVE", "PAPER"],
};

/**
 * The job: closes plans whose time is over, and makes the plan of a session in which a rotation falls due, after its first
 * screening. May run again and on several workers: a session has one plan.
 */
export async function planRotations(context: Context, { market }: { market: MarketName }): Promise<void> {
  const { db } = context;
  const moment = await marketMoment(context, market);
  await closeExpired(context, market, new Date(moment.now));
  const { today } = moment;
  if (today === null || !moment.isOpen) return;
  const row = await readConfigRow(db);
  if (!row.enabled) return;
  const policy = await activePolicy(context);
  const config = rotationConfigInForce(settingOf(row), policy);
  const due: AccountEnvironment[] = [];
  for (const environment of ENVIRONMENTS_OF[market]) {
    const last = await db.rotationPlan.findFirst({
      where: { market, environment },
      orderBy: { sessionDate: "desc" },
      select: { sessionDate: true },
    });
    const lastRotation = last === null ? null : sessionOf(last.sessionDate);
    if (lastRotation !== today.session && rotationDue(lastRotation, today.session, config.cadenceDays))
      due.push(environment);
  }
  if (due.length === 0) return;
  const screened = await db.cycle.count({ where: { market, sessionDate: dateOf(today.session), status: "DONE" } });
  if (screened === 0) return;
  const book = await openSessionBook(context, market, today, moment.calendar);
  if (book === null) return;
  const view = asRecorded(await viewOf(context, book, moment.now));
  for (const environment of due) await planFor(context, { environment, book, view, config });
}

interface Planning {
  environment: AccountEnvironment;
  book: SessionBook;
  view: MarketView;
  config: RotationConfigView;
}

async function planFor(context: Context, { environment, book, view, config }: Planning): Promise<void> {
  const { db, log } = context;
  const { market, policy } = book;
  const accounts: Account[] = await db.account.findMany({
    where: { market, environment, deletedAt: null, status: "ACTIVE", sealedKeys: { not: null } },
    orderBy: { id: "asc" },
  });
  const { states, leftOut } = await loadStates(context, accounts, view.at, policy);
  // Without an account to plan for the rotation stays due.
  if (!states.some(takesPartInRotation)) return;
  const last = await db.rotationPlan.findFirst({
    where: { market, environment },
    orderBy: { sessionDate: "desc" },
    select: { sessionDate: true },
  });
  const kpis = await readKpis(
    context,
    states.map(({ accountId }) => accountId),
    view.at,
  );
  const lastRotation = last === null ? null : sessionOf(last.sessionDate);
  const proposal = planRotation({ market: view, accounts: states, policy, config, lastRotation, kpis });
  const verdicts = runQa(qaOfRotation(proposal, book.selection, book.regime.label, policy));
  const snapshotId = await storeMarketView(context, view);
  const planId = await storePlan(context, { proposal, environment, snapshotId, verdicts, leftOut });
  if (planId !== null)
    log.info("rotation.planned", {
      market,
      environment,
      planId,
      accounts: states.length,
      legs: proposal.legs.length,
    });
}
