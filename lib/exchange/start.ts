import type { AddressInfo, Socket } from "node:net";
import { addDays, type SessionDate } from "../domain/time.ts";
import { endMinute, openSession } from "./book/day.ts";
import { type ExchangeState, loadState } from "./book/state.ts";
import { type Clock, type ClockState, createClock } from "./clock.ts";
import { createArrivals } from "./arrivals.ts";
import { createControl, type ExchangeControl } from "./control.ts";
import { createFaults, type Fault } from "./faults.ts";
import { createInterference } from "./faults/venue.ts";
import { controlOverHttp } from "./http/control.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { routesOf } from "./http/routes.ts";
import { createExchangeServer } from "./http/server.ts";
import { generateMarket } from "./market/generated.ts";
import { sessionsOf, type Sessions } from "./market/sessions.ts";
import type { Market } from "./market/source.ts";
import { readTape } from "./market/tape.ts";
import { createView } from "./market/view.ts";
import { openJournal, type StreamEvent } from "./store.ts";
import { createTradeStream, type TradeStream } from "./stream.ts";
import type { DataPlan } from "./streams/channels.ts";
import type { VendorKeys } from "./vendors/settings.ts";
import { createDataStreams, type DataStreams } from "./streams/data-streams.ts";
import { checkWallClock, currentSession, NOW } from "./wall-clock.ts";

const DEFAULT_SEED = 2;
/** A Monday with two years of generated history behind it. */
const GENERATED_START: SessionDate = "2024-01-08";

export interface ExchangeOptions {
  host?: string | undefined;
  port: number;
  controlToken?: string | undefined;
  /** null or absent: memory only. */
  databaseUrl?: string | null | undefined;
  /** A tape directory; absent = the generated market. */
  tape?: string | undefined;
  /** The first session, or "now" to follow the wall clock. */
  start?: SessionDate | undefined;
  speed?: number | undefined;
  skipClosed?: boolean | undefined;
  seed?: number | undefined;
  paused?: boolean | undefined;
  /**
   * A new exchange begins this many sessions before its start, with the clock at rest: the caller that sets the
   * product up plays them by hand and then lets the clock run.
   */
  leadSessions?: number | undefined;
  /** Keys that the vendors ask for; a vendor without one answers every request. */
  vendorKeys?: VendorKeys | undefined;
  /** What the data websockets allow. */
  dataPlan?: Partial<DataPlan> | undefined;
  complain?: ((message: string) => void) | undefined;
}

export interface Exchange {
  url: string;
  port: number;
  control: ExchangeControl;
  close(): Promise<void>;
}

interface MarketRow {
  kind: "tape" | "generated";
  name: string;
  seed: number;
  start: SessionDate;
  isWallClock?: boolean;
}

interface StateRows {
  market: MarketRow | undefined;
  clock: ClockState | undefined;
}

function stateRows(rows: Map<string, Record<string, unknown>[]>): StateRows {
  const found = rows.get("state") ?? [];
  const of = (id: string) => found.find((row) => row.id === id);
  return { market: of("market") as MarketRow | undefined, clock: of("clock") as ClockState | undefined };
}

const OTHER_DATABASE = "give the other market a database of its own (npm start: another DATA_DIR)";

/** The market asked for; a stored state belongs to the market it was made with. */
function openMarket(options: ExchangeOptions, stored: MarketRow | undefined): { market: Market; row: MarketRow } {
  const seed = options.seed ?? stored?.seed ?? DEFAULT_SEED;
  const isWallClock = options.start === NOW;
  const start = stored?.start ?? (options.start === NOW ? currentSession(Date.now()) : options.start);
  const market =
    options.tape === undefined
      ? generateMarket({ seed, start: start ?? GENERATED_START })
      : readTape(options.tape, seed);
  const row: MarketRow = {
    kind: market.kind,
    name: market.name,
    seed,
    start: start ?? market.defaultStart,
    isWallClock,
  };
  if (stored !== undefined && (stored.isWallClock ?? false) !== isWallClock) {
    const does = stored.isWallClock ? "follows the wall clock (EXCHANGE_START=now)" : "does not follow the wall clock";
    throw new Error(`the stored exchange ${does}: ${OTHER_DATABASE}`);
  }
  if (stored !== undefined && (stored.kind !== row.kind || stored.name !== row.name || stored.seed !== row.seed)) {
    throw new Error(
      `the stored exchange belongs to ${stored.kind} "${stored.name}" with seed ${stored.seed}, not to ${row.kind} "${row.name}" with seed ${seed}: ${OTHER_DATABASE}`,
    );
  }
  return { market, row };
}

function firstSession(market: Market, sessions: Sessions, start: SessionDate): SessionDate {
  const first = sessions.isSession(start) ? start : sessions.next(start);
  if (market.lastSession !== null && first > market.lastSession) throw new Error(`the tape ends before ${start}`);
  if (market.sessions[0] !== undefined && first < market.sessions[0])
    throw new Error(`the market begins after ${start}`);
  return first;
}

/** The session a number of sessions earlier, as far back as the market goes. */
function leadDate(market: Market, sessions: Sessions, first: SessionDate, count: number): SessionDate {
  let date = first;
  for (let left = count; left > 0; left -= 1) {
    const earlier = sessions.previous(date);
    if (market.sessions[0] !== undefined && earlier < market.sessions[0]) break;
    date = earlier;
  }
  return date;
}

/** Market time with nanoseconds: the count of stamps within one millisecond keeps them apart and in order. */
function stamper(nowMs: () => number): () => string {
  let last = 0;
  let count = 0;
  return () => {
    const now = Math.floor(nowMs());
    if (now > last) {
      last = now;
      count = 0;
    } else {
      count += 1;
      if (count === 1_000_000) {
        last += 1;
        count = 0;
      }
    }
    return `${new Date(last).toISOString().slice(0, -1)}${String(count).padStart(6, "0")}Z`;
  };
}

/** The next session's minutes are worked out bit by bit, so that its opening does not have to do all of it at once. */
function prepareTomorrow({ market, sessions, view }: ExchangeState, minute: number): void {
  const { hours } = view.moment();
  const index = market.sessionIndex(sessions.next(hours.date));
  if (index === undefined) return;
  const share = Math.ceil(market.symbols.length / hours.minutes);
  for (const symbol of market.symbols.slice(minute * share, (minute + 1) * share)) view.path(symbol, index);
}

/** Breaks the streams of the accounts that a fault is meant for. */
function cutStreams(state: ExchangeState, stream: TradeStream, fault: Fault): void {
  if (fault.kind === "cut_stream") {
    fault.left -= 1;
    fault.struck += 1;
  }
  stream.cut((accountId) => {
    const number = accountId === null ? undefined : state.accounts.get(accountId)?.account.accountNumber;
    return fault.account === undefined || fault.account === accountId || fault.account === number;
  });
}

/** Starts a paper exchange; resolves when it listens. */
export async function startExchange(options: ExchangeOptions): Promise<Exchange> {
  const complain = options.complain ?? (() => {});
  const isWallClock = options.start === NOW;
  if (isWallClock) checkWallClock(options);
  // Made further down, needed by what is made before them.
  const late: { stream?: TradeStream; dataStreams?: DataStreams; clock?: Clock } = {};
  const send = (event: StreamEvent) => late.stream?.send(event);
  const journal = await openJournal(options.databaseUrl ?? null, send, complain);
  const rows = await journal.load();
  const stored = stateRows(rows);
  const { market, row } = openMarket(options, stored.market);
  const sessions = sessionsOf(market);
  const skipClosed = options.skipClosed ?? !isWallClock;

  const nowMs = () => late.clock?.nowMs() ?? startMs;
  const firstDate = firstSession(market, sessions, row.start);
  const lead = leadDate(market, sessions, firstDate, options.leadSessions ?? 0);
  const isLeading = stored.clock === undefined && lead < firstDate;
  const openingMs = sessions.hours(lead).opensAtMs;
  const startMs = stored.clock?.nowMs ?? openingMs;
  market.extendTo(addDays(new Date(startMs).toISOString().slice(0, 10), 40));

  const state: ExchangeState = {
    market,
    sessions,
    view: createView(market, sessions, nowMs),
    journal,
    faults: createFaults({ seed: market.seed, marketMs: nowMs }),
    accounts: new Map(),
    byKeyId: new Map(),
    orders: new Map(),
    openBySymbol: new Map(),
    symbolStates: new Map(),
    nextSeq: 0,
    stamp: stamper(nowMs),
    onAccepted: null,
  };
  state.interference = createInterference(state);
  loadState(state, rows);

  const saveClock = () => {
    if (late.clock !== undefined) journal.write("state", "clock", { id: "clock", ...late.clock.state() });
  };
  // Whatever is committed carries the market time at which it happened.
  const commit = journal.commit.bind(journal);
  journal.commit = () => {
    saveClock();
    return commit();
  };
  const clock = createClock({
    state: {
      nowMs: startMs,
      processedMs: stored.clock?.processedMs ?? openingMs - 1,
      speed: isWallClock ? 1 : (options.speed ?? stored.clock?.speed ?? 60),
      isPaused: !isWallClock && (options.paused ?? stored.clock?.isPaused ?? isLeading),
    },
    isWallClock,
    skipClosed,
    sessions,
    lastSession: market.lastSession,
    onOpen: () => {
      market.extendTo(addDays(new Date(nowMs()).toISOString().slice(0, 10), 40));
      openSession(state);
      late.dataStreams?.openSession();
    },
    onMinute: (minute) => {
      endMinute(state, minute);
      prepareTomorrow(state, minute);
      late.dataStreams?.endMinute(minute);
    },
    afterEvent: async () => {
      state.faults.look();
      await journal.commit();
      await late.dataStreams?.drained();
    },
    complain,
  });
  late.clock = clock;
  journal.write("state", "market", { id: "market", ...row });
  if (stored.clock === undefined) await clock.jumpTo(openingMs);
  // What passed while the process was down is played before the first answer.
  if (isWallClock) await clock.jumpTo(Math.max(Date.now(), clock.nowMs()));
  await journal.commit();

  const arrivals = createArrivals();
  const startsAtMs = sessions.hours(firstDate).opensAtMs;
  const control = createControl({ state, clock, arrivals, skipClosed, isWallClock, startsAtMs });
  const { server, freeze } = createExchangeServer({
    state,
    routes: routesOf(options.vendorKeys ?? {}),
    arrivals,
    controlToken: options.controlToken,
    rateLimit: createRateLimit(clock),
    control: controlOverHttp(control, options.controlToken),
    complain,
  });
  const dataStreams = createDataStreams(() => state, {
    plan: options.dataPlan,
    controlToken: options.controlToken,
    speed: () => clock.state().speed,
  });
  late.dataStreams = dataStreams;
  const stream = createTradeStream(server, () => state, dataStreams);
  late.stream = stream;
  state.faults.onBegin = (fault) => {
    if (fault.kind === "stale_positions") freeze(fault);
    if (fault.kind === "cut_stream" || fault.kind === "keys_revoked") cutStreams(state, stream, fault);
  };
  // Sockets whose upgrade hangs are closed by no other code.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const host = options.host ?? "127.0.0.1";
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  clock.start();

  return {
    url: `http://${host}:${port}`,
    port,
    control,
    async close() {
      await clock.stop();
      stream.close();
      dataStreams.close();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await journal.commit();
      await journal.close();
    },
  };
}
