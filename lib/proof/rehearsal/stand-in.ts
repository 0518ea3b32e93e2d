/** An exchange in the place of Alpaca and of the vendors that ask for no key, and people who trade there with Alpaca keys. */
import { livePhrase } from "@/lib/contracts/accounts.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import type { Context } from "@/lib/server/context.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { addAccount } from "@/lib/server/services/accounts/add-account.ts";
import { confirmLive } from "@/lib/server/services/accounts/confirm-live.ts";
import { makeUser } from "@/prisma/factories.ts";

export const CONTROL_TOKEN = "control-token-of-a-rehearsal";

/**
 * Paper and live accounts at two addresses, as at Alpaca; data and vendors at the first. Market time is the wall clock's. No vendor keys:
 * what a user has who brings Alpaca's alone.
 */
export async function openStandIn(): Promise<Exchange> {
  const exchange = await startTestExchange({
    port: 0,
    livePort: 0,
    controlToken: CONTROL_TOKEN,
    databaseUrl: null,
    start: "now",
  });
  const vendors = `${exchange.url}/vendors`;
  Object.assign(process.env, {
    EXCHANGE_URL: "",
    ALPACA_PAPER_URL: exchange.url,
    ALPACA_LIVE_URL: exchange.liveUrl,
    ALPACA_DATA_URL: exchange.url,
    ALPACA_DATA_KEY_ID: "TPDATA",
    ALPACA_DATA_SECRET: CONTROL_TOKEN,
    CBOE_URL: `${vendors}/cboe`,
    FRED_URL: `${vendors}/fred`,
    ALPACA_DATA_REQUESTS_PER_MINUTE: "10000",
    SEC_URL: `${vendors}/edgar`,
    SEC_DATA_URL: `${vendors}/edgar`,
    SEC_CONTACT: "operator@tradewind.example",
  });
  forgetEnv();
  return exchange;
}

interface Opened {
  environment: "PAPER" | "LIVE";
  /** Trading preferences beside the defaults. */
  preferences: object;
}

/** A person of their own with an account at the stand-in, ready to trade. */
export async function openAlpacaAccount(
  context: Context,
  exchange: Exchange,
  { environment, preferences }: Opened,
): Promise<{ accountId: string; asUser: Context<"user"> }> {
  const { id: userId } = await makeUser(db(), { email: `${environment.toLowerCase()}@example.com` });
  const paperTradingOnly = environment === "PAPER";
  await db().tradingPreferences.update({ where: { userId }, data: { ...preferences, paperTradingOnly } });
  const keys = await exchange.control.createAccount({ keys: "alpaca", live: environment === "LIVE" });
  const asUser: Context<"user"> = {
    ...context,
    actor: { kind: "user", userId, role: "USER", signInId: "rehearsal" },
  };
  const { id: accountId } = await addAccount(asUser, {
    name: "",
    environment,
    accountType: "INDIVIDUAL",
    alpacaKey: keys.key_id,
    alpacaSecret: keys.secret,
  });
  if (environment === "LIVE")
    await confirmLive(asUser, { id: accountId, confirmation: livePhrase(keys.account_number.slice(-4)) });
  return { accountId, asUser };
}
