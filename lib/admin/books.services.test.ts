import { execFile } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Exchange } from "@/lib/exchange/start.ts";
import { programArgs } from "@/lib/proof/bundled.ts";
import { db } from "@/lib/server/db.ts";
import { hastyBroker, openAccount, startBench, testContext } from "@/lib/proof/fixtures/orders.ts";
import { readBrokerBreaches, readRowBreaches } from "@/lib/server/services/invariants/read-breaches.ts";
import { postCashFlow } from "@/lib/server/services/ledger/post-activity.ts";
import { reconcileAccount } from "@/lib/server/services/sync/reconcile-account.ts";

let exchange: Exchange;
beforeAll(async () => {
  exchange = await startBench();
});
afterAll(() => exchange.close());

/** Three processes are started one after the other, which a busy machine needs its time for. */
const STARTS_MS = 180_000;

interface Ended {
  status: number;
  lines: string[];
}

/** The command in a process of its own, while the exchange of this one answers it. */
async function admin(...args: string[]): Promise<Ended> {
  const command = [...(await programArgs("workers/cli/admin.ts")), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env: process.env }, (error, stdout, stderr) => {
      const status = error === null ? 0 : Number(error.code);
      resolve({ status, lines: (status === 0 ? stdout : stderr).trim().split("\n") });
    });
  });
}

it("a command line that is not clear says so in a sentence and ends with 2; what cannot be done ends with 1", async () => {
  const unclear = await admin("take-broker-books");
  expect([unclear.status, unclear.lines[0]]).toEqual([2, "Give --account <id>."]);
  const unknown = "0192f0a0-1111-7222-8333-944455556666";
  expect(await admin("take-broker-books", "--account", unknown)).toEqual({ status: 1, lines: ["Account not found."] });
  expect(await admin("activities")).toEqual({ status: 0, lines: ["No activity waits."] });
});

it(
  "the broker's books are shown, then taken over as shown, with a reason",
  async () => {
    const context = testContext();
    const account = await openAccount(context);
    await reconcileAccount(context, account.id);
    const flow = { activityId: "mistaken", type: "FEE", symbol: null, amount: "100", date: "2020-01-02" };
    await db().$transaction((tx) => postCashFlow(tx, account.id, flow));
    const preview = await admin("take-broker-books", "--account", account.id);
    expect(preview.lines).toEqual([
      "Positions agree.",
      "Cash: $100,100.00 by our records, $100,100.00 with these shares, $100,000.00 at the broker.",
      "$100.00 count as paid out: neither profit nor loss.",
      "Nothing is booked yet. To book exactly this:",
      expect.stringMatching(
        /^npm run admin -- take-broker-books --account \S+ --confirm [0-9a-f]{12} --reason "<why>"$/,
      ),
    ]);
    const hash = /--confirm (\S+)/.exec(preview.lines.at(-1) ?? "")?.[1] ?? "";
    const confirm = ["take-broker-books", "--account", account.id, "--confirm"];
    expect(await admin(...confirm, "000000000000", "--reason", "checked")).toEqual({
      status: 1,
      lines: ["The records or the broker's account changed since that preview. Make a new preview."],
    });
    const done = await admin(...confirm, hash, "--reason", "checked");
    expect([done.status, done.lines.at(-2)]).toEqual([0, "Booked. Positions agree with the broker's."]);
    expect(await readRowBreaches(context, account.id)).toEqual([]);
    expect((await readBrokerBreaches(context, account.id, hastyBroker(account, 5_000))).breaches).toEqual([]);
    const audit = { subjectUserId: account.userId, eventType: "BROKER_BOOKS_TAKEN" };
    expect(await db().auditEvent.findFirst({ where: audit })).toMatchObject({ data: { by: "admin-cli", hash } });
  },
  STARTS_MS,
);
