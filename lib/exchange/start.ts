import type { Server } from "node:http";
import type { AddressInfo, Server as NetServer, Socket } from "node:net";
import { addDays } from "../domain/time.ts";
import { endMinute, openSession } from "./book/day.ts";
import { type ExchangeState, loadState } from "./book/state.ts";
import { type Clock, type ClockOptions, type ClockState, createClock } from "./clock.ts";
import { type Arrivals, createArrivals } from "./arrivals.ts";
import { createControl, type ExchangeControl } from "./control.ts";
import { createFaults, type Fault } from "./faults.ts";
import { createInterference } from "./faults/venue.ts";
import { liveAddressOf } from "./http/addresses.ts";
import { controlOverHttp } from "./http/control.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { routesOf } from "./http/routes.ts";
import { createExchangeServer } from "./http/server.ts";
import { emptyOAuthBook } from "./oauth/grants.ts";
import { sessionsOf, type Sessions } from "./market/sessions.ts";
import type { Market } from "./market/source.ts";
import { createView } from "./market/view.ts";
import { beginningOf, type ClockRow, type MarketOptions, openMarket, stateRows } from "./open-market.ts";
import { createStamps, type Stamps } from "./stamps.ts";
import { type Journal, openJournal } from "./store.ts";
import { createTradeStream, type TradeStream } from "./stream.ts";
import type { DataPlan } from "./streams/channels.ts";
import type { VendorKeys } from "./vendors/settings.ts";
import { createDataStreams, type DataStreams } from "./streams/data-streams.ts";
import { checkWallClock, NOW } from "./wall-clock.ts";

export interface ExchangeOptions extends MarketOptions {
  host?: string | undefined;
  port: number;
  /** A second address, for accounts of real money; absent: there are none. */
  livePort?: number | undefined;
  controlToken?: string | undefined;
  /** null or absent: memory only. */
  databaseUrl?: string | null | undefined;
  speed?: number | undefined;
  skipClosed?: boolean | undefined;
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
  /** Where keys of real money work; null without a second address. */
  liveUrl: string | null;
  control: ExchangeControl;
  close(): Promise<void>;
}

/** Made later than what needs them. */
interface Late {
  stream?: TradeStream;
  dataStreams?: DataStreams;
  clock?: Clock;
}

/** Sessions of a generated market exist for more than a month ahead. */
function extendMarket(market: Market, nowMs: number): void {
  market.extendTo(addDays(new Date(nowMs).toISOString().slice(0, 10), 40));
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
  stream.cut(({ accountId }) => {
    const number = accountId === null ? undefined : state.accounts.get(accountId)?.account.accountNumber;
    return fault.account === undefined || fault.account === accountId || fault.account === number;
  });
}

/** The state of an exchange without accounts. */
function emptyState(
  market: Market,
  sessions: Sessions,
  journal: Journal,
  nowMs: () => number,
  stamps: Stamps,
): ExchangeState {
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
    oauth: emptyOAuthBook(),
    nextSeq: 0,
    stamp: stamps.next,
    onAccepted: null,
    onKeysRevoked: null,
  };
  state.interference = createInterference(state);
  return state;
}

/** Whatever is committed carries the market time at which it happened, and the last stamp, behind which the next process goes on. */
function commitWithClock(journal: Journal, late: Late, stamps: Stamps): void {
  const commit = journal.commit.bind(journal);
  journal.commit = () => {
    if (late.clock !== undefined) {
      const row: ClockRow = { ...late.clock.state(), lastStamp: stamps.last() };
      journal.write("state", "clock", { id: "clock", ...row });
    }
    return commit();
  };
}

/** Where the clock begins: where it stood when the exchange was stopped, or before the opening of the first session. */
function firstClockState(
  options: ExchangeOptions,
  stored: ClockState | undefined,
  { openingMs, isLeading }: ReturnType<typeof beginningOf>,
): ClockState {
  const isWallClock = options.start === NOW;
  return {
    nowMs: stored?.nowMs ?? openingMs,
    processedMs: stored?.processedMs ?? openingMs - 1,
    speed: isWallClock ? 1 : (options.speed ?? stored?.speed ?? 60),
    isPaused: !isWallClock && (options.paused ?? stored?.isPaused ?? (stored === undefined && isLeading)),
  };
}

/** The clock at whose openings and minutes the exchange does its work. */
function createWorkingClock(
  state: ExchangeState,
  late: Late,
  nowMs: () => number,
  settings: Pick<ClockOptions, "state" | "isWallClock" | "skipClosed" | "complain">,
): Clock {
  const { market, sessions, journal } = state;
  return createClock({
    ...settings,
    sessions,
    lastSession: market.lastSession,
    onOpen: () => {
      extendMarket(market, nowMs());
      openSession(state);
      late.dataStreams?.openSession();
    },
    onMinute: (minute) => {
      endMinute(state, minute);
      // A clock at rest is moved by hand, past an opening that nothing waits for.
      if (late.clock?.state().isPaused !== true) prepareTomorrow(state, minute);
      late.dataStreams?.endMinute(minute);
    },
    afterEvent: async () => {
      state.faults.look();
      await journal.commit();
      await late.dataStreams?.drained();
    },
  });
}

/** What clients connect to: the HTTP server and the websockets on it. */
function createEndpoints(
  state: ExchangeState,
  clock: Clock,
  control: ExchangeControl,
  arrivals: Arrivals,
  { vendorKeys = {}, controlToken, dataPlan, complain = () => {} }: ExchangeOptions,
): { server: Server; stream: TradeStream; dataStreams: DataStreams } {
  const { server, freeze } = createExchangeServer({
    state,
    routes: routesOf(vendorKeys),
    arrivals,
    controlToken,
    rateLimit: createRateLimit(clock),
    control: controlOverHttp(control, controlToken),
    complain,
  });
  const speed = () => clock.state().speed;
  const dataStreams = createDataStreams(() => state, { plan: dataPlan, controlToken, speed });
  const stream = createTradeStream(server, () => state, dataStreams);
  state.faults.onBegin = (fault) => {
    if (fault.kind === "stale_positions") freeze(fault);
    if (fault.kind === "cut_stream" || fault.kind === "keys_revoked") cutStreams(state, stream, fault);
  };
  const cut: TradeStream["cut"] = (isMeant) => {
    stream.cut(isMeant);
    dataStreams.cut(isMeant);
  };
  // Whether Alpaca cuts the streams of access that is taken back is not documented; it does so with revoked keys.
  state.oauth.onRevoked = (tokens) => cut(({ token }) => token !== null && tokens.has(token));
  state.onKeysRevoked = (id) => cut(({ accountId, token }) => accountId === id && token === null);
  return { server, stream, dataStreams };
}

/** The open sockets of a server: those whose upgrade hangs are closed by no other code. */
function trackSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** Answers the port. */
async function listen(server: NetServer, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a paper exchange; resolves when it listens. */
export async function startExchange(options: ExchangeOptions): Promise<Exchange> {
  const complain = options.complain ?? (() => {});
  const isWallClock = options.start === NOW;
  if (isWallClock) checkWallClock(options);
  const late: Late = {};
  const journal = await openJournal(options.databaseUrl ?? null, (event) => late.stream?.send(event), complain);
  const rows = await journal.load();
  const stored = stateRows(rows);
  const { market, row } = openMarket(options, stored.market);
  const sessions = sessionsOf(market);
  const skipClosed = options.skipClosed ?? !isWallClock;

  const beginning = beginningOf(market, sessions, row.start, options.leadSessions ?? 0);
  const { startsAtMs, openingMs } = beginning;
  const clockState = firstClockState(options, stored.clock, beginning);
  extendMarket(market, clockState.nowMs);
  const nowMs = () => late.clock?.nowMs() ?? clockState.nowMs;
  const stamps = createStamps(nowMs, stored.clock?.lastStamp ?? null);
  const state = emptyState(market, sessions, journal, nowMs, stamps);
  loadState(state, rows);

  commitWithClock(journal, late, stamps);
  const clock = createWorkingClock(state, late, nowMs, { state: clockState, isWallClock, skipClosed, complain });
  late.clock = clock;
  journal.write("state", "market", { id: "market", ...row });
  if (stored.clock === undefined) await clock.jumpTo(openingMs);
  // What passed while the process was down is played before the first answer.
  if (isWallClock) await clock.jumpTo(Math.max(Date.now(), clock.nowMs()));
  await journal.commit();

  const arrivals = createArrivals();
  const control = createControl({ state, clock, arrivals, skipClosed, isWallClock, startsAtMs });
  const { server, stream, dataStreams } = createEndpoints(state, clock, control, arrivals, options);
  late.stream = stream;
  late.dataStreams = dataStreams;
  const sockets = trackSockets(server);
  const host = options.host ?? "127.0.0.1";
  const port = await listen(server, options.port, host);
  const liveServer = options.livePort === undefined ? null : liveAddressOf(server);
  const livePort = liveServer === null ? null : await listen(liveServer, options.livePort!, host);
  clock.start();

  return {
    url: `http://${host}:${port}`,
    port,
    liveUrl: livePort === null ? null : `http://${host}:${livePort}`,
    control,
    async close() {
      await clock.stop();
      stream.close();
      dataStreams.close();
      for (const socket of sockets) socket.destroy();
      for (const each of [server, liveServer])
        await new Promise<void>((resolve) => each?.close(() => resolve()) ?? resolve());
      await journal.commit();
      await journal.close();
    },
  };
}
