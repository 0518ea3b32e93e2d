import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { computeFeatures } from "@/lib/domain/screening/compute-features.ts";
import type { FeatureRow } from "@/lib/domain/screening/features.ts";
import { screenMarket } from "@/lib/domain/screening/screen-market.ts";
import { addDays } from "@/lib/domain/time.ts";
import type { Context } from "@/lib/server/context.ts";
import { readStoredBars } from "@/lib/server/core/bar-packs.ts";
import { db } from "@/lib/server/db.ts";
import { env } from "@/lib/server/env.ts";
import type { AssetRow } from "@/lib/server/providers/market-data.ts";
import { storedEvents } from "@/lib/server/services/cycles/load-events.ts";
import { readMarketBars } from "@/lib/server/services/cycles/market-bars.ts";
import { systemContext } from "@/lib/server/system-context.ts";

/** One cold cycle in a process of its own, started by universe.ts: from the first question to Postgres to the seats. */
export interface CycleFigures {
  wallMs: number;
  cpuMs: number;
  /** Resident memory before it began, and at most. */
  startMb: number;
  peakMb: number;
  eligible: number;
  seats: number;
}

const [way, through = ""] = process.argv.slice(2);

/** What the broker would list. */
async function listed(): Promise<AssetRow[]> {
  const rows = await db().barPack.findMany({ select: { symbol: true } });
  return rows.map(({ symbol }, i) => {
    const sector = symbol === "SPY" ? "ETF" : `Sector ${i % 11}`;
    return { symbol, name: symbol, exchange: "NYSE", sector, isTradable: true };
  });
}

function screen(assets: readonly AssetRow[], features: ReadonlyMap<string, FeatureRow | null>) {
  const universe = assets
    .filter(({ sector }) => sector !== "ETF")
    .map(({ symbol, name, sector, isTradable }) => {
      const row = features.get(symbol) ?? null;
      const lastPrice = row?.close ?? null;
      return {
        symbol,
        name,
        sector,
        isTradable,
        isHalted: false,
        quarantine: null,
        features: row,
        spreadBps: null,
        lastPrice,
      };
    });
  return screenMarket({
    market: "US",
    sessionDate: addDays(through, 1),
    universe,
    news: [],
    previous: null,
    fastTrack: [],
    policy: POLICY_2_9_0,
  });
}

async function drain() {
  const client = new pg.Client({ connectionString: env().DATABASE_URL });
  await client.connect();
  const stream = client.query(
    copyTo(`copy (select "symbol", "columns" from "BarPack" where "market" = 'US') to stdout (format binary)`),
  );
  let bytes = 0;
  for await (const chunk of stream) bytes += (chunk as Buffer).length;
  await client.end();
  return { eligibleCount: bytes, seats: [] };
}

const assets = await listed();
const past = assets.flatMap(({ symbol }) =>
  Array.from({ length: 8 }, (_, nth) => ({ symbol, date: addDays(through, -20 - 63 * nth), time: "BMO" as const })),
);
const context: Context = {
  ...systemContext("bench"),
  marketData: () => ({ assets: () => Promise.resolve(assets) }) as never,
};

const WAYS = {
  floor: drain,
  packs: async () => screen(assets, (await readMarketBars(context, { market: "US", through, past })).features),
  held: async () => {
    const [bars, events] = await Promise.all([
      readStoredBars("US", { from: "", to: through }),
      storedEvents(context, "US"),
    ]);
    const rows = computeFeatures([...bars.values()], (symbol) => events.get(symbol) ?? []);
    return screen(assets, new Map([...bars.keys()].map((symbol, i) => [symbol, rows[i] ?? null])));
  },
};

const startMb = Math.round(process.memoryUsage().rss / 1e6);
const before = process.cpuUsage();
const startedAt = performance.now();
const { eligibleCount, seats } = await WAYS[way as keyof typeof WAYS]();
const wallMs = performance.now() - startedAt;
const { user, system } = process.cpuUsage(before);
const figures: CycleFigures = {
  wallMs,
  cpuMs: (user + system) / 1000,
  startMb,
  peakMb: Math.round((process.resourceUsage().maxRSS * 1024) / 1e6),
  eligible: eligibleCount,
  seats: seats.length,
};
console.log(JSON.stringify(figures));
await db().$disconnect();
