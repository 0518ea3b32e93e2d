import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { symbolsApi } from "@/lib/contracts/symbols.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { noAccountSentence, type Standing, standingSentence } from "@/lib/domain/insight/symbol-sentences.ts";
import { NO_SECTOR } from "@/lib/domain/sectors.ts";
import { newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Scope } from "../../core/accounts-of-environment.ts";
import { decimalTextOrNull, moneyOrNull, sessionOf } from "../../rows.ts";
import { readPositions } from "../portfolio/list-positions.ts";
import { symbolRecord } from "../selectors/symbol-record.ts";
import { latestVerdicts } from "./latest-verdicts.ts";
import { nameInSelection, type SeenSymbol, seenSymbol } from "./market-view-of.ts";
import { ownTrading } from "./own-trading.ts";
import { symbolBars } from "./symbol-bars.ts";
import { priceOf } from "./symbol-price.ts";
import { symbolScope } from "./symbol-scope.ts";

type View = Given<typeof symbolsApi.read>;
type Positions = Awaited<ReturnType<typeof readPositions>>;
type Selected = Pick<View, "seat" | "scores">;

/** A symbol for one person: what its market says of it, and what their accounts of one environment did and do in it. */
export async function readSymbol(
  context: Context<"user">,
  { symbol, environment: wanted }: Received<typeof symbolsApi.read>,
): Promise<View> {
  const { market, accounts, environment, environments } = await symbolScope(context, wanted);
  const active = accounts.filter(({ deletedAt }) => deletedAt === null);
  const [record, seen, stored, all, trading, verdicts] = await Promise.all([
    symbolRecord(context, market, symbol),
    seenSymbol(context, market, symbol),
    symbolBars(context, market, symbol),
    readPositions(context, active),
    ownTrading(
      context,
      accounts.map(({ id }) => id),
      symbol,
    ),
    latestVerdicts(context, active, symbol),
  ]);
  const positions = all.filter((position) => position.symbol === symbol);
  const isKnown = record.isKnown || seen !== null || stored.bars.dates.length > 0;
  if (!isKnown && positions.length + trading.trades.length === 0)
    throw new Failure("not_found", `${symbol} is not known in this market: there is no data about it.`);
  const priced = priceOf(await readingsOf(context, positions), seen, stored);
  return {
    environment,
    environments,
    market,
    symbol,
    ...(await namesOf(context, symbol, record, seen)),
    ...priced,
    standings: standingsOf(symbol, active, positions, verdicts, record.view),
    positions,
    accounts: accounts.map((account) => ({ id: account.id, name: accountTitle(account) })),
    ...trading,
    sessionDate: record.view.scores.at(-1)?.sessionDate ?? null,
    ...record.view,
    earnings: {
      next: nextReport(record, seen, priced.priceSession),
      expectedMove: record.watch?.expectedMove ?? null,
      reactions: record.reactions,
    },
  };
}

type SymbolRecord = Awaited<ReturnType<typeof symbolRecord>>;

/** The price of each holding with the moment at which its account was read. */
async function readingsOf({ db }: Pick<Context, "db">, positions: Positions) {
  const figures = await db.accountFigures.findMany({
    where: { accountId: { in: positions.map(({ accountId }) => accountId) } },
    select: { accountId: true, asOf: true },
  });
  return positions.map(({ accountId, currentPrice }) => ({
    currentPrice: moneyOrNull(currentPrice),
    asOf: figures.find((row) => row.accountId === accountId)?.asOf ?? null,
  }));
}

export async function namesOf(
  context: Pick<Context, "db">,
  symbol: string,
  { watch, sector, lastSelectionId }: SymbolRecord,
  seen: SeenSymbol | null,
): Promise<Pick<View, "name" | "sector">> {
  const name =
    seen?.view.name ??
    watch?.companyName ??
    (lastSelectionId === null ? null : await nameInSelection(context, lastSelectionId, symbol));
  const known = seen?.view.sector ?? sector;
  // An unlisted symbol is called by its own name.
  return { name: name === symbol ? null : name, sector: known === NO_SECTOR ? null : known };
}

function standingsOf(
  symbol: string,
  accounts: Scope["accounts"],
  positions: Positions,
  verdicts: Awaited<ReturnType<typeof latestVerdicts>>,
  { seat, scores }: Selected,
): View["standings"] {
  if (accounts.length === 0)
    return [{ account: null, isHeld: false, sentence: noAccountSentence(symbol), decisionId: null, score: null }];
  const latest = scores.at(-1);
  return accounts.map((account) => {
    const { id } = account;
    const name = accountTitle(account);
    const position = positions.find(({ accountId }) => accountId === id);
    const verdict = verdicts.get(id) ?? null;
    const standing: Standing = {
      symbol,
      account: accounts.length > 1 ? name : null,
      held: position === undefined ? null : heldOf(position),
      verdict,
      selection: latest
        ? { session: latest.sessionDate, rank: seat?.rank ?? null, composite: latest.compositeScore }
        : null,
    };
    return {
      account: { id, name },
      isHeld: position !== undefined,
      sentence: standingSentence(standing),
      decisionId: verdict?.id ?? null,
      score: verdict?.score ?? null,
    };
  });
}

const heldOf = ({ symbol, accountId, ...position }: Positions[number]): Standing["held"] => ({
  since: newYork(position.openedAt).date,
  stop: decimalTextOrNull(position.stopPrice),
  target: decimalTextOrNull(position.targetPrice),
  isOurs: position.strategy !== null,
  page: { label: "Position", href: `/positions/${accountId}/${symbol}` },
});

/** As the last cycle had it; else of the watchlist, where its day is still to come on the market's clock. */
function nextReport(
  { watch, view }: SymbolRecord,
  seen: SeenSymbol | null,
  priceSession: SessionDate | null,
): View["earnings"]["next"] {
  const today = priceSession ?? view.scores.at(-1)?.sessionDate ?? null;
  const watched = watch === null ? null : { date: sessionOf(watch.earningsDate), time: watch.earningsTime };
  const timeOn = (date: SessionDate) => (watched?.date === date ? watched.time : null);
  const { next = null, estimate } = seen?.view.earnings ?? {};
  if (next !== null) return { from: next, to: next, time: timeOn(next) };
  if (estimate) return { ...estimate, time: null };
  if (watched === null || today === null || watched.date < today) return null;
  return { from: watched.date, to: watched.date, time: watched.time };
}
