/** People with a practice account each, for `npm run bench:accounts`: as the product makes them, many at a time. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { RISKS, STRATEGY_NAMES } from "@/lib/domain/enums.ts";
import { db } from "@/lib/server/db.ts";
import { sealKeys } from "@/lib/server/secrets/seal.ts";

const EQUITY = "100000";
/** Accounts that the exchange is asked for at once, and that a statement writes. */
const AT_ONCE = 16;
const PER_STATEMENT = 2_000;

const openedIn = z.object({ id: z.string(), account_number: z.string(), key_id: z.string(), secret: z.string() });
const statusIn = z.object({ now: z.string() });
type Opened = z.output<typeof openedIn>;

/** The exchange's control API. */
export function marketControl(url: string, token: string) {
  async function call<T>(path: string, answer: z.ZodType<T>, body: object): Promise<T> {
    const response = await fetch(`${url}/_control${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-control-token": token },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`the exchange answered ${response.status} to ${path}`);
    return answer.parse(await response.json());
  }
  return {
    open: () => call("/accounts", openedIn, { name: "Practice account", cash: EQUITY }),
    clock: (command: object) => call("/clock", statusIn, command),
  };
}

export type MarketControl = ReturnType<typeof marketControl>;

async function openMany(market: MarketControl, count: number): Promise<Opened[]> {
  const opened: Opened[] = [];
  let left = count;
  const open = async () => {
    while (left > 0) {
      left -= 1;
      opened.push(await market.open());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, open));
  return opened;
}

/** A spread of the settings that people choose; every bound of the settings page holds. */
const preferencesOf = (nth: number, checkInterval: number) => ({
  strategy: STRATEGY_NAMES[nth % 3]!,
  riskTolerance: RISKS[Math.floor(nth / 3) % 3]!,
  riskLevel: RISKS[Math.floor(nth / 3) % 3]!,
  defaultOrderSize: 3_000 + 500 * (nth % 7),
  maxPositions: 4 + (nth % 7),
  maxPositionValue: 8_000,
  profitTarget: 4 + (nth % 5),
  stopLoss: 2 + (nth % 4),
  checkInterval,
});

async function store(opened: readonly Opened[], first: number, marketNow: Date, interval: number): Promise<void> {
  const rows = opened.map((account, nth) => ({ account, userId: randomUUID(), id: randomUUID(), nth: first + nth }));
  await db().user.createMany({
    data: rows.map(({ userId, nth }) => ({
      id: userId,
      email: `trader-${nth}@example.com`,
      firstName: "Ada",
      lastName: `Trader ${nth}`,
      passwordHash: "none: no sign-in",
      emailVerifiedAt: new Date(),
    })),
  });
  await db().tradingPreferences.createMany({
    data: rows.map(({ userId, nth }) => ({ userId, ...preferencesOf(nth, interval) })),
  });
  await db().notificationPreferences.createMany({ data: rows.map(({ userId }) => ({ userId })) });
  await db().account.createMany({
    data: rows.map(({ account, id, userId }) => ({
      id,
      userId,
      name: "Practice account",
      broker: "PRACTICE" as const,
      environment: "PAPER" as const,
      market: "PRACTICE" as const,
      brokerAccountId: account.id,
      accountNumberEnd: account.account_number.slice(-4),
      keyPrefix: account.key_id.slice(0, 8),
      sealedKeys: sealKeys(
        { keyId: account.key_id, secret: account.secret },
        { userId, accountId: id, environment: "PAPER" },
      ),
      // As after the first reading of the broker, which the next one carries on from.
      reconciledAt: new Date(),
      orderWatermark: marketNow,
      activityWatermark: marketNow,
    })),
  });
  await db().accountFigures.createMany({
    data: rows.map(({ id: accountId }) => ({
      accountId,
      equity: EQUITY,
      lastEquity: EQUITY,
      cash: EQUITY,
      buyingPower: EQUITY,
      // The first reading finds the opening deposit and raises the mark by it.
      highWaterMark: "0",
    })),
  });
}

export interface SeedFigures {
  /** Accounts opened at the exchange, and their rows written here. */
  exchangeMs: number;
  rowsMs: number;
}

export async function seedAccounts(market: MarketControl, count: number, interval: number): Promise<SeedFigures> {
  const figures = { exchangeMs: 0, rowsMs: 0 };
  const marketNow = new Date((await market.clock({})).now);
  for (let first = 0; first < count; first += PER_STATEMENT) {
    const startedAt = performance.now();
    const opened = await openMany(market, Math.min(PER_STATEMENT, count - first));
    const openedAt = performance.now();
    await store(opened, first, marketNow, interval);
    figures.exchangeMs += openedAt - startedAt;
    figures.rowsMs += performance.now() - openedAt;
  }
  await db().$executeRawUnsafe("analyze");
  return figures;
}
