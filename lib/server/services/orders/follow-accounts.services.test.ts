import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import type { Context } from "../../context.ts";
import { hastyBroker, openAccount, startBench, testContext, withBroker } from "./bench.ts";
import { followAccounts } from "./follow-accounts.ts";

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startBench();
});
afterAll(() => exchange.close());

it("of several workers one follows an account's stream; when it goes or falls silent, another one does", async () => {
  const base = testContext();
  const account = await openAccount(base);
  let open = 0;
  let most = 0;
  const counting = (): Context => {
    const broker = hastyBroker(account, 5_000);
    return withBroker(testContext(), {
      ...broker,
      tradeUpdates: () => {
        open += 1;
        most = Math.max(most, open);
        return { close: () => (open -= 1) };
      },
    });
  };
  const [first, second, third] = await Promise.all([counting(), counting(), counting()].map(followAccounts));
  const followers = [first, second, third].filter((follower) => follower !== undefined);
  expect(open).toBe(1);
  // Whoever has it gives it back on a clean end.
  for (const left of [2, 1]) {
    followers.pop()?.close();
    expect(followers).toHaveLength(left);
    await expect.poll(() => open, { timeout: 10_000 }).toBe(1);
  }
  // The last one is gone without a word: its lease ends.
  await base.db.lease.updateMany({ where: { name: "follower" }, data: { owner: "gone", beatAt: new Date(0) } });
  const heir = await followAccounts(counting());
  await expect.poll(() => open, { timeout: 10_000 }).toBe(1);
  expect(await base.db.lease.findUnique({ where: { name: "follower" } })).not.toMatchObject({ owner: "gone" });
  expect(most).toBeLessThanOrEqual(2);
  heir.close();
  followers.pop()?.close();
});
