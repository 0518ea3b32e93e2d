import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { BrokerTarget, Context } from "../../context.ts";
import { checkKeys } from "./check-keys.ts";
import { storeAccount } from "./store-account.ts";

/** Keys of the practice market begin with this. */
const PRACTICE_KEY = "TP";

export async function addAccount(
  context: Context<"user">,
  input: Received<typeof accountsApi.add>,
): Promise<Given<typeof accountsApi.add>> {
  const { userId } = context.actor;
  const keys = { keyId: input.alpacaKey, secret: input.alpacaSecret };
  const isPractice = context.brokers.hasPracticeMarket && keys.keyId.startsWith(PRACTICE_KEY);
  if (isPractice && input.environment !== "PAPER") {
    const message = "Keys of the practice market work in the PAPER environment only.";
    throw new Failure("invalid_input", message, { issues: [{ path: "environment", message }] });
  }
  const target: BrokerTarget = { broker: isPractice ? "PRACTICE" : "ALPACA", environment: input.environment };
  const found = await checkKeys(context.brokers, target, keys);
  return storeAccount(context, {
    userId,
    name: input.name || null,
    accountType: input.accountType,
    target,
    keys,
    found,
  });
}
