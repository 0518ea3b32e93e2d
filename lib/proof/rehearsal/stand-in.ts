/** An exchange in the place of Alpaca and of the vendors that ask for no key, and people who trade there with Alpaca keys. */
import { livePhrase } from "@/lib/contracts/accounts.ts";
import type { Exchange } from "@/lib/exchange/start.ts";
import { answerConsent, registerAtStandIn } from "@/lib/proof/fixtures/consent.ts";
import { smallMarket, startTestExchange } from "@/lib/proof/market/test-exchange.ts";
import type { Context } from "@/lib/server/context.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { addAccount } from "@/lib/server/services/accounts/add-account.ts";
import { confirmLive } from "@/lib/server/services/accounts/confirm-live.ts";
import { finishConnection } from "@/lib/server/services/accounts/finish-connection.ts";
import { startConnection } from "@/lib/server/services/accounts/start-connection.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";

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
    generate: smallMarket,
  });
  await registerAtStandIn(exchange);
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
  /** Keys that are pasted, unless the person allows access at the stand-in. */
  access?: "KEYS" | "OAUTH";
  /** Trading preferences beside the defaults. */
  preferences: object;
}

/** A person of their own with an account at the stand-in, ready to trade. */
export async function openAlpacaAccount(
  context: Context,
  exchange: Exchange,
  { environment, access = "KEYS", preferences }: Opened,
): Promise<{ accountId: string; asUser: Context<"user"> }> {
  const user = await makeUser(db(), { email: `${environment}-${access}@example.com`.toLowerCase() });
  const userId = user.id;
  await makeSignIn(db(), user);
  const { id: signInId } = await db().signIn.findFirstOrThrow({ where: { userId } });
  const paperTradingOnly = environment === "PAPER";
  await db().tradingPreferences.update({ where: { userId }, data: { ...preferences, paperTradingOnly } });
  const theirs = await exchange.control.createAccount({ keys: "alpaca", live: environment === "LIVE" });
  const asUser: Context<"user"> = {
    ...context,
    actor: { kind: "user", userId, role: "USER", signInId },
  };
  const about = { name: "", environment, accountType: "INDIVIDUAL" } as const;
  const { id: accountId } =
    access === "OAUTH"
      ? await connectByConsent(asUser, about, theirs.id)
      : await addAccount(asUser, { ...about, alpacaKey: theirs.key_id, alpacaSecret: theirs.secret });
  if (environment === "LIVE")
    await confirmLive(asUser, { id: accountId, confirmation: livePhrase(theirs.account_number.slice(-4)) });
  return { accountId, asUser };
}

async function connectByConsent(
  asUser: Context<"user">,
  about: Parameters<typeof startConnection>[1],
  brokerAccountId: string,
): Promise<{ id: string }> {
  const { authorizeUrl } = await startConnection(asUser, about);
  return finishConnection(asUser, await answerConsent(authorizeUrl, brokerAccountId));
}
