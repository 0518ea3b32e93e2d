import type { Given } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import { dailyBrief } from "@/lib/domain/insight/daily-brief.ts";
import type { Context } from "../../context.ts";
import { environmentLabel, type EnvironmentLabel } from "../../rows.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { listPositions } from "../portfolio/list-positions.ts";
import type { BriefAccount, BriefScope } from "./accounts-of-brief.ts";
import { latestMoment } from "./latest-moment.ts";
import { readDayOfDecisions } from "./read-day-of-decisions.ts";
import { readDayOfTrading } from "./read-day-of-trading.ts";
import { readHolds } from "./read-holds.ts";
import { readPositions } from "./read-positions.ts";
import { readResult } from "./read-result.ts";

type Answer = Given<typeof insightApi.daily>;

/**
 * One brief for each environment in which the user has accounts with a record, oldest account first. The accounts are those
 * that the dashboard adds up. The cost is that of one day's rows, however long the history.
 */
export async function readDailyBrief(context: Context): Promise<Answer> {
  const { actor, db } = context;
  const userId = signedInUserId(actor);
  if (!(await isFlagOn(context, "ai_insights"))) return { isOn: false, briefs: [] };
  if (actor.kind === "user" && actor.role === "ADMIN") return { isOn: true, briefs: [] };
  const accounts = await db.account.findMany({
    where: { userId, deletedAt: null, status: { not: "INACTIVE" } },
    include: { figures: true },
    orderBy: { createdAt: "asc" },
  });
  const positions = accounts.length === 0 ? [] : await listPositions(context);
  const briefs: Answer["briefs"] = [];
  for (const environment of new Set(accounts.map(environmentLabel))) {
    const [first, ...others] = accounts.filter((account) => environmentLabel(account) === environment);
    if (!first) continue;
    const own = positions.filter((position) => position.environmentLabel === environment);
    const brief = await briefOf(context, environment, [first, ...others], own);
    if (brief !== null) briefs.push(brief);
  }
  return { isOn: true, briefs };
}

async function briefOf(
  context: Context,
  environment: EnvironmentLabel,
  accounts: [BriefAccount, ...BriefAccount[]],
  own: Awaited<ReturnType<typeof listPositions>>,
): Promise<Answer["briefs"][number] | null> {
  const latest = await latestMoment(context, accounts);
  if (latest === null) return null;
  const scope: BriefScope = { environment, accounts, session: latest.session };
  const [holds, { result, asOf, isClosed }, trading, decided, positions] = await Promise.all([
    readHolds(context, scope),
    readResult(context, scope, latest.at),
    readDayOfTrading(context, scope),
    readDayOfDecisions(context, scope),
    readPositions(context, accounts, own),
  ]);
  const { headline, sentences } = dailyBrief({
    environment,
    session: latest.session,
    isClosed,
    accounts: accounts.length,
    ...holds,
    result,
    ...trading,
    ...decided,
    positions,
  });
  return { environment, session: latest.session, isClosed, asOf, headline, sentences, writer: "TRADEWIND" };
}
