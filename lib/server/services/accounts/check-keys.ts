import { Failure } from "@/lib/domain/failures.ts";
import type { BrokerAccount } from "../../broker/broker.ts";
import type { BrokerKeys, Brokers, BrokerTarget } from "../../context.ts";

/** Asks the broker whose keys these are. Nothing is stored before it says so. */
export async function checkKeys(brokers: Brokers, target: BrokerTarget, keys: BrokerKeys): Promise<BrokerAccount> {
  try {
    return await brokers.withKeys(target, keys).account();
  } catch (error) {
    if (error instanceof Failure && error.code === "broker_refused") {
      const message = `Alpaca rejected these keys for the ${target.environment} environment.`;
      throw new Failure("invalid_input", message, { issues: [{ path: "alpacaKey", message }], cause: error });
    }
    if (error instanceof Failure && error.code === "broker_unavailable") throw brokerUnavailable(error);
    throw error;
  }
}

export function brokerUnavailable(cause: unknown): Failure {
  return new Failure("broker_unavailable", "Alpaca cannot be reached right now. Nothing was saved. Please try again.", {
    cause,
    retryAfterMs: 10_000,
  });
}
