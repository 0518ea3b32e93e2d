import type { RegimeView } from "@/lib/domain/engine/plan.ts";
import { REGIME_TEXT } from "@/lib/domain/engine/reasons.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { moneyText } from "@/lib/domain/format.ts";
import { MARKET_IS } from "@/lib/domain/insight/market-text.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { BarSeries } from "@/lib/domain/screening/features.ts";
import { dayReturn, readRegime, type RegimeMemory } from "@/lib/domain/screening/regime.ts";
import { vixBefore } from "@/lib/domain/screening/vix-before.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import { asJson, regimeMemoryOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import type { CalendarDay } from "../../providers/market-data.ts";
import { dateOf, sessionOf } from "../../rows.ts";
import { logUserEvents } from "../../core/log-user-events.ts";

/** A machine with a memory of 2 closes and a dwell of 5 sessions has settled after this many. */
const SETTLE_SESSIONS = 60;
/** Calendar days that hold the ten sessions which a VIX may be old at most. */
const VIX_DAYS_BACK = 21;

/**
 * The regime of a session, from the closes before it. The machine is stepped once per session from its
 * last stored reading, or from 60 sessions back, so a worker that slept comes to the same label. What is stored of a session is in force
 * through all of it, for decisions as for screens: a restart, another worker or a source that is back reads the same.
 */
export async function readSessionRegime(
  context: Context,
  market: MarketName,
  session: SessionDate,
  calendar: CalendarDay[],
  spy: BarSeries | undefined,
  policy: Policy,
): Promise<RegimeView> {
  const known = await storedReading(context, market, session);
  if (known !== null) return known.view;
  const sessions = calendar.map((day) => day.session).filter((day) => day <= session);
  const last = await context.db.regimeReading.findFirst({
    where: { market, sessionDate: { lt: dateOf(session) } },
    orderBy: { sessionDate: "desc" },
  });
  const from = last
    ? sessions.findIndex((day) => day > sessionOf(last.sessionDate))
    : Math.max(1, sessions.length - SETTLE_SESSIONS);
  let memory = last && regimeMemoryOf(last);
  let view: RegimeView | null = null;
  const vix = await readVix(context, market, sessions[Math.max(0, from - 2)] ?? session, sessions.at(-2) ?? session);

  for (const { session: day, opensAt } of calendar.filter((row) => row.session <= session).slice(from)) {
    const before = sessions[sessions.indexOf(day) - 1] ?? "";
    const closes = spy ? [...spy.close.subarray(0, countThrough(spy.dates, before))] : [];
    // A stale index is no index: the last close must be of the session before.
    const isCurrent = spy !== undefined && spy.dates[closes.length - 1] === before;
    const reading = readRegime(
      {
        spyCloses: isCurrent ? closes : [],
        vix: vixBefore(sessions, sessions.indexOf(day), vix, policy),
        spyDayReturn: isCurrent ? dayReturn(closes.at(-1), closes.at(-2)) : null,
      },
      memory,
      day,
      policy,
    );
    ({ memory, view } = reading);
    const stored = await context.db.regimeReading.createMany({
      data: [
        {
          market,
          sessionDate: dateOf(day),
          label: view.label,
          vix: view.vix,
          spyClose: view.spyClose,
          spyMa20: view.spyMa20,
          spyMa50: view.spyMa50,
          votes: view.votes,
          hasFlipped: reading.hasFlipped,
          memory: asJson(memory),
        },
      ],
      skipDuplicates: true,
    });
    if (stored.count === 0) {
      // Another worker read the session first: what it stored is in force.
      memory = (await storedReading(context, market, day)) ?? memory;
      ({ view } = memory);
      continue;
    }
    if (!reading.hasFlipped) continue;
    context.log.info("regime.flipped", { market, session: day, ...view });
    // Sessions that are only replayed to settle the state machine are not logged.
    if (last !== null || day === session) await logRegimeChange(context, market, view, opensAt);
  }
  if (!view) throw new Error(`no session before ${session} is known to the calendar`);
  return view;
}

/** What the first worker made of a session; null where none has read it yet. */
async function storedReading({ db }: Context, market: MarketName, session: SessionDate): Promise<RegimeMemory | null> {
  const key = { market_sessionDate: { market, sessionDate: dateOf(session) } };
  const row = await db.regimeReading.findUnique({ where: key, select: { memory: true } });
  return row && regimeMemoryOf(row);
}

const figure = (value: number | null) => (value === null ? "unknown" : value.toFixed(2));

const price = (value: number | null) => (value === null ? "unknown" : moneyText(value));

/** A flip is logged with its inputs (engine.md §5). */
async function logRegimeChange({ db }: Context, market: MarketName, view: RegimeView, opensAt: string): Promise<void> {
  const { label, votes, vix, spyClose, spyMa20, spyMa50 } = view;
  const message =
    `The market is now ${MARKET_IS[label]} (regime ${REGIME_TEXT[label]}): ${votes} ${Math.abs(votes) === 1 ? "vote" : "votes"}, SPY ${price(spyClose)} ` +
    `(20-day average ${price(spyMa20)}, 50-day average ${price(spyMa50)}), VIX ${figure(vix)}`;
  await logUserEvents(db, [
    { level: "warn", message, userId: null, marketAt: new Date(opensAt), context: { market, ...view } },
  ]);
}

function countThrough(dates: string[], date: SessionDate): number {
  let count = dates.length;
  while (count > 0 && (dates[count - 1] ?? "") > date) count -= 1;
  return count;
}

async function readVix(
  context: Context,
  market: MarketName,
  from: SessionDate,
  through: SessionDate,
): Promise<Map<string, number>> {
  try {
    const rows = await context.marketData(market).vix(addDays(from, -VIX_DAYS_BACK), through);
    return new Map(rows.map((row) => [row.session, row.close]));
  } catch (error) {
    context.log.warn("vix.read-failed", { market, err: error });
    return new Map();
  }
}
