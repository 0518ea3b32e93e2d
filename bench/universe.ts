import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { promisify } from "node:util";
import { addDays } from "@/lib/domain/time.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { withOwnDatabase } from "@/lib/proof/own-database.ts";
import { writePacks } from "@/lib/server/core/bar-packs.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { dateOf } from "@/lib/server/rows.ts";
import { generatedBars } from "./generated-bars.ts";
import { randomFrom } from "./timing.ts";
import type { CycleFigures } from "./universe-cycle.ts";

/**
 * A session's first screening of the whole US market from Postgres: `npm run bench:universe`. Brings its own Postgres, fills it with
 * 10,000 symbols × 570 daily bars (BENCH_SYMBOLS, BENCH_BARS) and their dividends and splits, and screens them in processes that start
 * for it. The aim: 2 s and 400 MB. Beside it, in processes of their own in the same run: reading the bytes and nothing else, and
 * the way without packs, with all bars of the market held at once. Writes the same figures to .data/bench-universe.json.
 */
const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 10_000);
const BARS = Number(process.env.BENCH_BARS ?? 570);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const SYMBOLS_PER_BATCH = 200;
const DIVIDENDS = 8;
const WAYS = { floor: "reading the bytes alone", packs: "packs, one at a time", held: "all bars held" } as const;

/** Prices in cents and whole shares, as the feed has them. */
async function fill(): Promise<{ through: string; events: number }> {
  const cents = (value: number) => Number(value.toFixed(2));
  const random = randomFrom(7);
  let through = "";
  let events = 0;
  for (let at = 0; at < SYMBOLS; at += SYMBOLS_PER_BATCH) {
    const bars = generatedBars(Math.min(SYMBOLS_PER_BATCH, SYMBOLS - at), BARS, 11 + at).map((series, i) => ({
      ...series,
      symbol: `S${String(at + i).padStart(5, "0")}`,
      open: series.open.map(cents),
      high: series.high.map(cents),
      low: series.low.map(cents),
      close: series.close.map(cents),
      volume: series.volume.map(Math.round),
    }));
    through = bars[0]!.dates.at(-1)!;
    if (at === 0) bars.push({ ...bars[0]!, symbol: "SPY" });
    await writePacks(db(), "US", through, bars);
    const rows = bars.flatMap(({ symbol, dates }) => {
      const first = Math.floor(random() * 60);
      const dividends = Array.from({ length: DIVIDENDS }, (_, nth) => ({
        day: first + nth * 62,
        kind: "dividend",
        value: 0.01 + random(),
      }));
      const splits = random() < 0.03 ? [{ day: 300, kind: "split", value: 2 }] : [];
      return [...dividends, ...splits]
        .filter(({ day }) => day < dates.length)
        .map(({ day, kind, value }) => ({
          market: "US" as const,
          symbol,
          exDate: dateOf(dates[day]!),
          kind,
          place: 0,
          value,
        }));
    });
    events += (await db().marketEvent.createMany({ data: rows })).count;
  }
  const progress = { through: dateOf(through), eventsThrough: dateOf(through), symbols: SYMBOLS + 1, waiting: 0 };
  await db().barHistory.create({ data: { market: "US", ...progress, updatedAt: new Date() } });
  await db().$executeRaw`analyze "BarPack"`;
  return { through, events };
}

const run = promisify(execFile);
async function cycle(way: keyof typeof WAYS, through: string): Promise<CycleFigures> {
  const { stdout } = await run(process.execPath, ["--import", "tsx", "bench/universe-cycle.ts", way, through], {
    env: process.env,
    maxBuffer: 1e8,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as CycleFigures;
}

await withOwnDatabase("universe", async (url) => {
  useLeastEnv();
  process.env.DATABASE_URL = url;
  forgetEnv();
  const startedAt = performance.now();
  const { through, events } = await fill();
  const [{ bytes } = { bytes: 0n }] = await db().$queryRaw<{ bytes: bigint }[]>`
    select sum(octet_length("columns"))::bigint as bytes from "BarPack"`;
  console.log(
    `${SYMBOLS} symbols × ${BARS} bars, ${events} dividends and splits: ${Math.round(Number(bytes) / 1e6)} MB, written in ${((performance.now() - startedAt) / 1000).toFixed(1)} s, through ${through} (${addDays(through, -BARS)} on)`,
  );
  await db().$disconnect();
  const figures: (CycleFigures & { way: string })[] = [];
  // Turn by turn: what else the machine does meets all of them.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const way of Object.keys(WAYS) as (keyof typeof WAYS)[]) figures.push({ way, ...(await cycle(way, through)) });
  for (const [way, name] of Object.entries(WAYS)) {
    const own = figures.filter((row) => row.way === way).sort((a, b) => a.wallMs - b.wallMs);
    const [least, most] = [own[0]!, own.at(-1)!];
    console.log(
      `${name.padEnd(26)} ${(least.wallMs / 1000).toFixed(2)} to ${(most.wallMs / 1000).toFixed(2)} s, CPU ${(least.cpuMs / 1000).toFixed(2)} s, ` +
        `peak ${Math.max(...own.map(({ peakMb }) => peakMb))} MB (${least.startMb} MB before it began), ${least.eligible} eligible, ${least.seats} seats`,
    );
  }
  mkdirSync(".data", { recursive: true });
  writeFileSync(".data/bench-universe.json", JSON.stringify({ SYMBOLS, BARS, load: loadavg(), figures }, null, 2));
});
