import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { insightApi } from "@/lib/contracts/insight.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { dailyBrief } from "@/lib/domain/insight/daily-brief.ts";
import type { Context } from "../../context.ts";
import { accountsOfEnvironment } from "../../core/accounts-of-environment.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { readHeld } from "../portfolio/list-positions.ts";
import type { BriefAccount, BriefScope } from "./accounts-of-brief.ts";
import { latestMoment } from "./latest-moment.ts";
import { readDayOfDecisions } from "./read-day-of-decisions.ts";
import { readDayOfTrading } from "./read-day-of-trading.ts";
import { readHolds } from "./read-holds.ts";
import { positionFacts } from "./read-positions.ts";
import { readResult } from "./read-result.ts";
import { writeExplanation } from "./write-explanation.ts";

type Answer = Given<typeof insightApi.daily>;

/**
 * The brief of the accounts that the dashboard adds up; null while nothing is recorded of them. The cost is that of one
 * day's rows, however long the history.
 */
export async function readDailyBrief(
  context: Context<"user">,
  { environment: wanted }: Received<typeof insightApi.daily>,
): Promise<Answer> {
  const { actor, db } = context;
  const { environment, environments, accounts } = await accountsOfEnvironment(context, wanted);
  const isOn = await isFlagOn(context, "ai_insights");
  const answer = { isOn, environment, environments, brief: null };
  const isAdmin = actor.role === "ADMIN";
  if (!isOn || isAdmin || environment === null) return answer;
  const [first, ...others] = await db.account.findMany({
    where: { id: { in: accounts.map(({ id }) => id) } },
    include: { figures: true },
    orderBy: { createdAt: "asc" },
  });
  return first ? { ...answer, brief: await briefOf(context, environment, [first, ...others]) } : answer;
}

async function briefOf(
  context: Context,
  environment: Environment,
  accounts: [BriefAccount, ...BriefAccount[]],
): Promise<Answer["brief"]> {
  const latest = await latestMoment(context, accounts);
  if (latest === null) return null;
  const scope: BriefScope = { environment, accounts, session: latest.session };
  const [holds, { result, asOf, isClosed }, trading, decided, positions] = await Promise.all([
    readHolds(context, scope),
    readResult(context, scope, latest.at),
    readDayOfTrading(context, scope),
    readDayOfDecisions(context, scope),
    readHeld(context, accounts).then(positionFacts),
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
  const { userId } = accounts[0];
  const explanation = await writeExplanation(
    context,
    { kind: "DAILY", subject: `${userId} ${environment}`, userId },
    sentences,
  );
  return { session: latest.session, isClosed, asOf, headline, ...explanation };
}
