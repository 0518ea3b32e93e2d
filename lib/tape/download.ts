import { Failure } from "@/lib/domain/failures.ts";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Progress } from "@/lib/progress.ts";
import { alpacaHistory } from "./alpaca-history.ts";
import { type Client, createClient } from "./client.ts";
import type { DownloadCommand } from "./options.ts";
import { finnhubEarnings, fmpEarningsOn, fmpSectors, vixRows } from "./other-sources.ts";
import { openParts, type Parts } from "./parts.ts";
import { csvCell, sortedRows, writeTape } from "./write-tape.ts";

const SYMBOLS_PER_CALL = 100;
/** Days of bars and of reports per call: a call fits one page, and an interruption loses little. */
const BAR_DAYS = 92;
const REPORT_DAYS = 7;

export interface DownloadPorts {
  say(line: string): void;
  pause(ms: number): Promise<void>;
  progress(label: string): Progress;
}

interface Stretch {
  from: SessionDate;
  to: SessionDate;
}

function stretches({ from, to }: Stretch, days: number): Stretch[] {
  const result: Stretch[] = [];
  for (let start = from; start <= to; start = addDays(start, days)) {
    const end = addDays(start, days - 1);
    result.push({ from: start, to: end < to ? end : to });
  }
  return result;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

interface Part {
  name: string;
  fetch(): Promise<string[]>;
}

async function inParts(progress: Progress, parts: Parts, wanted: Part[]): Promise<string[]> {
  const rows: string[] = [];
  for (const [done, { name, fetch }] of wanted.entries()) {
    // One after another: the vendors limit calls, not bytes.
    for (const row of await parts.rows(name, fetch)) rows.push(row);
    progress.at(done + 1, wanted.length);
  }
  progress.end();
  return rows;
}

function earningsParts(command: DownloadCommand, client: Client): Part[] {
  const { finnhub, fmp } = command;
  if (finnhub !== null)
    return stretches(command, REPORT_DAYS).map(({ from, to }) => ({
      name: `earnings-${from}`,
      fetch: () => finnhubEarnings(client, finnhub, from, to),
    }));
  if (fmp === null) return [];
  return sessionsBetween(command.from, command.to).map((date) => ({
    name: `earnings-${date}`,
    fetch: () => fmpEarningsOn(client, fmp, date),
  }));
}

/** Downloads a tape. What was fetched before an interruption is not fetched again. */
export async function download(asked: DownloadCommand, { say, pause, progress }: DownloadPorts): Promise<void> {
  const { directory, feed, symbols } = asked;
  const client = createClient({ callsPerMinute: asked.callsPerMinute, say, pause });
  const alpaca = alpacaHistory(client, asked);
  const finished = await alpaca.lastFinishedDate();
  const command = { ...asked, to: asked.to < finished ? asked.to : finished };
  if (command.to !== asked.to) say(`The last finished session is not after ${finished}: the tape ends there.`);
  if (command.from > command.to) throw new Failure("invalid_input", "There is no finished session in that range.");

  const names = symbols.map(({ symbol }) => symbol);
  const parts = openParts(directory, { from: command.from, to: command.to, feed, symbols: names });
  const groups = chunks(names, SYMBOLS_PER_CALL);
  const each = (label: string, days: number, fetch: (group: string[], from: string, to: string) => Promise<string[]>) =>
    stretches(command, days).flatMap(({ from, to }) =>
      groups.map((group, i) => ({ name: `${label}-${from}-${i}`, fetch: () => fetch(group, from, to) })),
    );
  const bars = sortedRows(await inParts(progress("bars"), parts, each("bars", BAR_DAYS, alpaca.bars)));
  const traded = new Set(bars.map((row) => row.split(",", 2)[1]));
  const missing = names.filter((symbol) => !traded.has(symbol));
  if (missing.length > 0) say(`No bars of ${missing.join(", ")}.`);
  if (bars.length === 0) throw new Failure("unavailable", "Alpaca has no bars of these symbols in that range.");

  const actions = await inParts(progress("corporate actions"), parts, each("actions", 366, alpaca.actions));
  const actionRows = (kind: string) =>
    sortedRows(actions.filter((row) => row.startsWith(`${kind},`)).map((row) => row.slice(kind.length + 1)));
  const vix = await inParts(progress("VIX"), parts, [{ name: "vix", fetch: () => vixRows(client, command) }]);
  const reports = earningsParts(command, client);
  if (reports.length === 0) say("No earnings dates: neither FINNHUB_TOKEN nor FMP_API_KEY is set.");
  const earnings = await inParts(progress("earnings"), parts, reports);
  const isTraded = (row: string) => traded.has(row.split(",", 2)[1]);

  writeTape(directory, {
    "assets.csv": await assetRows(command, client, alpaca.names, traded),
    "bars.csv.gz": bars,
    "splits.csv": actionRows("split").filter(isTraded),
    "dividends.csv": actionRows("dividend").filter(isTraded),
    "vix.csv": vix,
    "earnings.csv": sortedRows(earnings.filter(isTraded)),
  });
  parts.remove();
  say(`The tape is in ${directory}.`);
}

/** Names from the symbols file or the broker, sectors from the symbols file or the vendor. */
async function assetRows(
  { symbols, fmp }: DownloadCommand,
  client: Client,
  namesOf: () => Promise<Map<string, string>>,
  traded: ReadonlySet<string | undefined>,
): Promise<string[]> {
  const names = symbols.every(({ name }) => name !== null) ? new Map<string, string>() : await namesOf();
  const isKnown = symbols.every(({ sector }) => sector !== null);
  const sectors = fmp === null || isKnown ? new Map<string, string>() : await fmpSectors(client, fmp);
  return symbols
    .filter(({ symbol }) => traded.has(symbol))
    .map(({ symbol, name, sector }) =>
      [symbol, name ?? names.get(symbol) ?? symbol, sector ?? sectors.get(symbol) ?? ""].map(csvCell).join(","),
    );
}
