import { setTimeout as delay } from "node:timers/promises";
import type { Broker } from "../broker/broker.ts";
import type { Context } from "../context.ts";
import { atMost } from "./at-most.ts";
import type { Account } from "./row-types.ts";

/** Brokers that are asked side by side. */
const AT_ONCE = 8;
/** What all brokers of a page have for their answers. Wall time. */
const WITHIN_MS = 5_000;

/**
 * Asks the brokers of several accounts of one market and answers what those that answer in time say, by account. One whose keys do not
 * open or whose broker refuses is left out: the account's own turn meets the same, and says so.
 *
 * @param requests how many requests `ask` makes for an account
 */
export async function askBrokers<T>(
  { brokers }: Pick<Context, "brokers">,
  accounts: readonly Account[],
  requests: number,
  ask: (broker: Broker) => Promise<T>,
): Promise<Map<string, T>> {
  const reachable = accounts.flatMap((account) => {
    try {
      return [{ account, broker: brokers.forAccount(account) }];
    } catch {
      // Keys that do not open: the account's own turn says so.
      return [];
    }
  });
  await brokers.reserve(
    reachable.map(({ account }) => account),
    requests,
  );
  const answers = new Map<string, T>();
  const ended = new AbortController();
  const late = delay(WITHIN_MS, null, { signal: ended.signal }).catch(() => null);
  const turn = atMost(AT_ONCE);
  const all = reachable.map(({ account, broker }) =>
    turn(async () => {
      if (ended.signal.aborted) return;
      const answer = await ask(broker).then(
        (said) => ({ said }),
        // The account's own turn asks again, and logs what its broker refuses.
        () => null,
      );
      if (answer !== null) answers.set(account.id, answer.said);
    }),
  );
  await Promise.race([Promise.all(all), late]);
  ended.abort();
  // What comes later changes nothing of what is decided on.
  return new Map(answers);
}
