import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import { env } from "../env.ts";
import { timedCall } from "./provider-calls.ts";

/** The practice market's own controls: its clock and, for checks, its truth. Only over the wire. */
const status = z.object({
  market: z.enum(["tape", "generated"]),
  name: z.string(),
  speed: z.number().positive(),
  isPaused: z.boolean(),
  /** Market time is the wall clock's: it cannot be paused. */
  isWallClock: z.boolean().default(false),
  now: z.string(),
  isOpen: z.boolean(),
  /** The market's start: sessions before it are there to be played by hand. Null when there are none. */
  leadUntil: z.string().nullish(),
});
export type PracticeStatus = z.output<typeof status>;

/** The market answered that it does not do what it was asked: nothing was changed. Without it, an answer may be lost. */
export class PracticeRefusal extends Failure {}

async function control(method: "GET" | "POST", path: string, body?: unknown): Promise<unknown> {
  const { EXCHANGE_URL, EXCHANGE_CONTROL_TOKEN } = env();
  if (!EXCHANGE_URL) throw new Failure("unavailable", "There is no practice market in this installation.");
  let response: Response;
  try {
    response = await fetch(`${EXCHANGE_URL}/_control${path}`, {
      method,
      headers: { "x-control-token": EXCHANGE_CONTROL_TOKEN ?? "", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    });
  } catch (cause) {
    throw new Failure("unavailable", "The practice market cannot be reached right now.", { cause });
  }
  if (response.status === 401 || response.status === 403)
    throw new PracticeRefusal(
      "unavailable",
      "The practice market does not take the control token of this installation (EXCHANGE_CONTROL_TOKEN).",
      { cause: `${response.status} ${await response.text()}` },
    );
  if (!response.ok) {
    const cause = `${response.status} ${await response.text()}`;
    if (response.status >= 500) throw new Failure("unavailable", "The practice market failed.", { cause });
    throw new PracticeRefusal("unavailable", "The practice market refused the request.", { cause });
  }
  return (await response.json()) as unknown;
}

export async function practiceStatus(): Promise<PracticeStatus> {
  const call = { provider: "Practice market", operation: "status" } as const;
  return timedCall(call, async () => status.parse(await control("GET", "/status")));
}

/** Changes the clock; answers when every market minute in between has been played. */
export async function setPracticeClock(change: {
  speed?: number;
  paused?: boolean;
  advanceMinutes?: number;
  jumpTo?: string;
}): Promise<PracticeStatus> {
  return status.parse(await control("POST", "/clock", change));
}

const decimal = z.union([z.string(), z.number()]).transform(String);
const truthOrder = z.object({
  id: z.string(),
  client_order_id: z.string(),
  symbol: z.string(),
  side: z.string(),
  qty: decimal.nullable(),
  filled_qty: decimal,
  filled_avg_price: decimal.nullable(),
  status: z.string(),
});
const truth = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      account_number: z.string(),
      cash: decimal,
      equity: decimal,
      positions: z.array(z.object({ symbol: z.string(), qty: decimal, avg_entry_price: decimal })),
      orders: z.array(truthOrder),
      fills: z.array(
        z.object({
          order_id: z.string(),
          symbol: z.string(),
          side: z.string(),
          qty: decimal,
          price: decimal,
          cum_qty: decimal,
        }),
      ),
    }),
  ),
});
export type PracticeTruth = z.output<typeof truth>;

/** What the exchange itself knows of every account: the ground truth that reconciliation is held against. */
export async function practiceTruth(): Promise<PracticeTruth> {
  return truth.parse(await control("GET", "/truth"));
}
