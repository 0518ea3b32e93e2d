import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { openBench } from "@/lib/proof/fixtures/bench.ts";
import type { Context } from "../context.ts";
import type { Account } from "./row-types.ts";
import { inTransaction, lockAccount } from "./transaction.ts";

let context: Context;
let account: Account;
openBench((bench) => ({ context, account } = bench));

it("the locked row of an account is the row as a reading of it gives it, value by value", async () => {
  const { id } = account;
  await context.db.account.update({
    where: { id },
    data: {
      name: "Long term",
      haltedAt: new Date(),
      haltReason: "a test",
      orderWatermark: new Date("2020-01-06T14:30:00.123Z"),
    },
  });
  const locked = await inTransaction(context, (tx) => lockAccount(tx, id));
  expect(locked).toStrictEqual({ ...(await context.db.account.findUniqueOrThrow({ where: { id } })) });
});

it("the account that is locked has to be there", async () => {
  await expect(inTransaction(context, (tx) => lockAccount(tx, randomUUID()))).rejects.toThrow("there is no account");
});
