import { ENVIRONMENTS, type MarketName } from "@/lib/domain/enums.ts";
import { counted } from "@/lib/domain/counted.ts";
import { weekAddress } from "@/lib/domain/weeks.ts";
import type { Context } from "../../context.ts";
import type { WeekFigures } from "../../mail/mail-props.ts";
import { queueMail } from "../../mail/outbox.ts";
import { weekText } from "../../mail/render-mail.ts";
import { wantedKinds } from "../../mail/wanted-mails.ts";
import { environmentLabel } from "../../rows.ts";
import { IS_ACTIVE } from "../../core/accounts-of-environment.ts";
import { notify } from "../../core/notify.ts";
import type { Account } from "../../core/row-types.ts";
import { isQuiet, weekFigures, type MarketSpan } from "../performance/week-figures.ts";
import { summaryWeek, type SummaryWeek } from "./summary-week.ts";

type Ports = Pick<Context, "db" | "now" | "log">;

/**
 * On Saturday morning in New York: a summary of the week for each person to whom something happened in it, once. A
 * week is one of the wall; of the practice market it holds whatever time that market went through meanwhile. Each
 * environment has a block of its own.
 */
export async function writeWeeklySummaries(context: Ports): Promise<void> {
  const { db, now, log } = context;
  const week = summaryWeek(now());
  if (week === null) return;
  const people = await db.user.findMany({
    where: { disabledAt: null, accounts: { some: IS_ACTIVE } },
    include: { notificationPreferences: true, accounts: { where: IS_ACTIVE, orderBy: { createdAt: "asc" } } },
    orderBy: { id: "asc" },
  });
  const spans = { PRACTICE: await practiceSpan(context, week), US: wallSpan(week) };
  let count = 0;
  for (const { accounts, notificationPreferences, ...user } of people) {
    if (!wantedKinds(notificationPreferences, "pages").has("weekly")) continue;
    const dedupeKey = `weekly:${week.weekEnd}`;
    const existing = await db.notification.findUnique({ where: { userId_dedupeKey: { userId: user.id, dedupeKey } } });
    if (existing) continue;
    const blocks = await blocksOf(context, accounts, spans, week);
    const [first] = blocks;
    if (!first) continue;
    await db.$transaction(async (tx) => {
      const isNew = await notify(tx, {
        userId: user.id,
        dedupeKey,
        at: now(),
        kind: "WEEKLY",
        title: `Your week ${weekText(week.weekEnd)}`,
        text: blocks.map(({ environment, trades }) => `${environment}: ${counted(trades, "trade")}`).join(" · "),
        link: weekAddress(first),
      });
      if (!isNew) return;
      count += 1;
      if (!wantedKinds(notificationPreferences).has("weekly")) return;
      await queueMail(tx, {
        dedupeKey: `${dedupeKey}:${user.id}`,
        userId: user.id,
        recipient: user.email,
        template: "weekly-summary",
        props: { firstName: user.firstName, weekEnd: week.weekEnd, blocks },
        dueAt: now(),
      });
    });
  }
  if (count > 0) log.info("weekly-summaries.written", { count });
}

async function blocksOf(
  { db }: Ports,
  accounts: Account[],
  spans: Record<MarketName, MarketSpan | null>,
  week: SummaryWeek,
): Promise<WeekFigures[]> {
  const blocks: WeekFigures[] = [];
  for (const label of ENVIRONMENTS) {
    const [first, ...rest] = accounts.filter((account) => environmentLabel(account) === label);
    const span = first ? spans[first.market] : null;
    if (!first || !span) continue;
    const figures = await weekFigures(db, { userId: first.userId, accounts: [first, ...rest], span, wall: week });
    if (figures && !isQuiet(figures)) blocks.push(figures);
  }
  return blocks;
}

const wallSpan = ({ from, to }: SummaryWeek): MarketSpan => ({ from: new Date(from), to: new Date(to) });

/**
 * The practice market's own time at both ends of the week, by the cycles that ran there: a fill belongs to exactly one
 * week. Null when nothing ran in it.
 */
async function practiceSpan({ db }: Ports, week: SummaryWeek): Promise<MarketSpan | null> {
  const timeAt = (wall: string) =>
    db.cycle.findFirst({
      where: { market: "PRACTICE", createdAt: { lt: new Date(wall) } },
      orderBy: { startedAt: "desc" },
      select: { startedAt: true },
    });
  const [before, last] = await Promise.all([timeAt(week.from), timeAt(week.to)]);
  if (!last) return null;
  const first = before ?? (await db.cycle.findFirst({ where: { market: "PRACTICE" }, orderBy: { startedAt: "asc" } }));
  return { from: first && first.startedAt < last.startedAt ? first.startedAt : last.startedAt, to: last.startedAt };
}
