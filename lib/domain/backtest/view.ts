import { type DecimalText, type Money, money, priceTick, text } from "../money.ts";
import type { Policy } from "../policy.ts";
import { dayReturn, readRegime, type RegimeMemory } from "../screening/regime.ts";
import { vixBefore } from "../screening/vix-before.ts";
import type { FeatureRow } from "../screening/features.ts";
import type { Instant } from "../time.ts";
import type { DayBar } from "./fill-model.ts";
import { featuresBefore, type Fold, quarantineBefore, type Today } from "./fold.ts";
import { barAt, type HistorySymbol, INDEX_SYMBOL } from "./history.ts";
import { earningsAround, type HistoryIndex, NO_REPORTS } from "./market.ts";
import type { Screening } from "./screen.ts";
import type { MarketView, QuoteView, RegimeView, SymbolView } from "../engine/plan.ts";

const REGIME_CLOSES = 260;

/** The regime machine, stepped over every session of the market so that it is settled where trading begins. */
export function regimesThrough({ history, bySymbol, vixOn }: HistoryIndex, to: number, policy: Policy): RegimeView[] {
  const index = bySymbol.get(INDEX_SYMBOL);
  const closes: number[] = [];
  const views: RegimeView[] = [];
  let memory: RegimeMemory | null = null;
  for (let session = 0; session <= to; session++) {
    const before = session - 1;
    const close = index?.close[before];
    const isCurrent = close !== undefined && !Number.isNaN(close);
    if (isCurrent) closes.push(close);
    if (closes.length > REGIME_CLOSES) closes.shift();
    const reading = readRegime(
      {
        // A stale index is no index: the last close must be of the session before.
        spyCloses: isCurrent ? closes : [],
        vix: vixBefore(history.sessions, session, vixOn, policy),
        spyDayReturn: isCurrent ? dayReturn(close, closes.at(-2)) : null,
      },
      memory,
      history.sessions[session]!,
      policy,
    );
    memory = reading.memory;
    views.push(reading.view);
  }
  return views;
}

/** What the open of one session says of every symbol. */
interface Opening {
  fold: Fold;
  today: Today;
  ranking: Screening["ranking"];
  splits: ReadonlyMap<string, DecimalText>;
  earnings: (symbol: string) => SymbolView["earnings"];
  bidFactor: Money;
  askFactor: Money;
}

/** The opening price as the decision sees it, with half the policy's spread to either side: no older than the decision. */
class OpeningQuote implements QuoteView {
  readonly isMade = true;
  readonly last: DecimalText;
  readonly at: Instant;
  private knownBid: DecimalText | null = null;
  private knownAsk: DecimalText | null = null;

  constructor(
    private readonly open: Money,
    private readonly opening: Opening,
  ) {
    this.last = text(open);
    this.at = opening.today.decidedAt;
  }

  get bid(): DecimalText {
    return (this.knownBid ??= text(priceTick(this.open.times(this.opening.bidFactor), "down")));
  }

  get ask(): DecimalText {
    return (this.knownAsk ??= text(priceTick(this.open.times(this.opening.askFactor), "up")));
  }
}

/** A symbol at the open. What only some symbols are asked for is made when it is: most seats have no signal. */
class OpeningView implements SymbolView {
  readonly isTradable = true;
  readonly name: string;
  readonly sector: string;
  private readonly row: HistorySymbol;
  private knownBar: DayBar | null | undefined;
  private knownFeatures: FeatureRow | null | undefined;
  private knownQuote: QuoteView | null | undefined;
  private knownEarnings: SymbolView["earnings"] | undefined;

  constructor(
    readonly symbol: string,
    private readonly opening: Opening,
  ) {
    this.row = opening.fold.input.index.bySymbol.get(symbol)!;
    this.name = this.row.name;
    this.sector = this.row.sector ?? "Unknown";
  }

  private get bar(): DayBar | null {
    if (this.knownBar === undefined) this.knownBar = barAt(this.row, this.opening.today.session);
    return this.knownBar;
  }

  get isHalted(): boolean {
    return this.bar === null;
  }

  get quarantine(): string | null {
    return quarantineBefore(this.opening.fold, this.symbol, this.opening.today.session);
  }

  get features(): FeatureRow | null {
    if (this.knownFeatures === undefined)
      this.knownFeatures = featuresBefore(this.opening.fold, this.symbol, this.opening.today.session);
    return this.knownFeatures;
  }

  get momentumPercentile(): number | null {
    const { ranking } = this.opening;
    const place = ranking.placeOf(this.symbol);
    return place === null ? null : ranking.momentumOf(place);
  }

  get splitToday(): DecimalText | null {
    return this.opening.splits.get(this.symbol) ?? null;
  }

  get quote(): QuoteView | null {
    if (this.knownQuote === undefined)
      this.knownQuote = this.bar === null ? null : new OpeningQuote(money(this.bar.open), this.opening);
    return this.knownQuote;
  }

  get earnings(): SymbolView["earnings"] {
    return (this.knownEarnings ??= this.opening.earnings(this.symbol));
  }
}

/** What the account sees just after the open: bars closed before the session, and its opening prices. It holds for the session. */
export function viewAtOpen(fold: Fold, today: Today, { ranking, seats, screened }: Screening): MarketView {
  const { index, policy } = fold.input;
  const { session, date } = today;
  const half = money(policy.orders_execution.default_spread_bps).div(20_000);
  const { ledger } = fold;
  const opening: Opening = {
    fold,
    today,
    ranking,
    // Of several splits on one day the first stands.
    splits: new Map((index.splitsOn.get(date) ?? []).map(({ symbol, ratio }) => [symbol, ratio] as const).reverse()),
    earnings: fold.input.isWithoutEarnings === true ? () => NO_REPORTS : earningsAround(index, date, fold.input.policy),
    bidFactor: money(1).minus(half),
    askFactor: half.plus(1),
  };
  // Without a prototype an object of many keys is a table from the first key on, which is filled sooner.
  const symbols = Object.create(null) as MarketView["symbols"];
  for (const { symbol } of seats) symbols[symbol] = new OpeningView(symbol, opening);
  for (const symbol of ledger.positions.keys()) symbols[symbol] ??= new OpeningView(symbol, opening);
  return {
    market: "PRACTICE",
    at: today.decidedAt,
    session: { date, opensAt: today.opensAt, closesAt: today.closesAt, isOpen: true },
    barsThrough: index.history.sessions[session - 1]!,
    sessions: today.sessions,
    regime: today.regime,
    seats,
    symbols,
    counts: { screened, eligible: ranking.count },
  };
}
