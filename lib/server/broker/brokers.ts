import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { BrokerKeys, Brokers, BrokerTarget } from "../context.ts";
import { env } from "../env.ts";
import { openKeys } from "../secrets/seal.ts";
import { createAlpacaBroker } from "./alpaca.ts";
import type { Broker } from "./broker.ts";

const OPEN_TIMEOUT_MS = 10_000;
/** Brokers kept: their connections are shared by the platform's fetch, so an entry is small. */
const MOST_KEPT = 5_000;

function tradingUrl({ broker, environment }: BrokerTarget): string {
  const { EXCHANGE_URL, ALPACA_PAPER_URL, ALPACA_LIVE_URL } = env();
  if (broker === "ALPACA") return environment === "LIVE" ? ALPACA_LIVE_URL : ALPACA_PAPER_URL;
  if (!EXCHANGE_URL) throw new Failure("unavailable", "There is no practice market here.");
  return EXCHANGE_URL;
}

const openedAccount = z.object({ key_id: z.string().min(1), secret: z.string().min(1) });

async function openPracticeAccount(name: string): Promise<BrokerKeys> {
  const { EXCHANGE_URL, EXCHANGE_CONTROL_TOKEN } = env();
  if (!EXCHANGE_URL || !EXCHANGE_CONTROL_TOKEN) throw new Failure("unavailable", "There is no practice market here.");
  try {
    const answer = await fetch(`${EXCHANGE_URL}/_control/accounts`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-control-token": EXCHANGE_CONTROL_TOKEN },
      body: JSON.stringify({ name }),
      redirect: "error",
      signal: AbortSignal.timeout(OPEN_TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
    const opened = openedAccount.parse(await answer.json());
    return { keyId: opened.key_id, secret: opened.secret };
  } catch (error) {
    throw new Failure("broker_unavailable", "The practice market cannot be reached at the moment.", { cause: error });
  }
}

/** All brokers of this installation. One Broker per account and sealed keys; new keys make a new one. */
export function createBrokers(): Brokers {
  const kept = new Map<string, { sealedKeys: string; broker: Broker }>();
  const withKeys = (target: BrokerTarget, keys: BrokerKeys) =>
    createAlpacaBroker({ tradingUrl: tradingUrl(target), keys });
  return {
    withKeys,
    forAccount(account) {
      const { id, userId, sealedKeys, environment } = account;
      if (sealedKeys === null) throw new Failure("conflict", "The keys of this account were erased.");
      const cached = kept.get(id);
      if (cached?.sealedKeys === sealedKeys) return cached.broker;
      const broker = withKeys(account, openKeys(sealedKeys, { userId, accountId: id, environment }));
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(id, { sealedKeys, broker });
      return broker;
    },
    get hasPracticeMarket() {
      return env().EXCHANGE_URL !== undefined;
    },
    openPracticeAccount,
  };
}
