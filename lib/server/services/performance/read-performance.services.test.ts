import { expect, it } from "vitest";
import { equityAtClose } from "@/lib/proof/fixtures/performance.ts";
import { makeAccount, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../../context.ts";
import { db } from "../../db.ts";
import { readPerformance } from "./read-performance.ts";

it("figures are as old as the oldest reading in them, and of the accounts that were read alone", async () => {
  const { id: userId } = await makeUser(db());
  const read = async (asOf: string) => {
    const { id } = await makeAccount(db(), userId);
    await db().equityPoint.create({ data: equityAtClose(id, "2020-01-02", "100", "100") });
    await db().accountFigures.update({
      where: { accountId: id },
      data: { equity: "110", netDeposits: "100", asOf: new Date(asOf) },
    });
  };
  await read("2020-01-03T15:00:00Z");
  await read("2020-01-06T16:00:00Z");
  await makeAccount(db(), userId);
  const context = { actor: { kind: "user", userId, role: "USER", signInId: "test" }, db: db() } as Context<"user">;
  const data = await readPerformance(
    {
      ...context,
      marketData: () => {
        throw new Error("none");
      },
    },
    {},
  );
  expect(data).toMatchObject({ accounts: 2, newestDay: "2020-01-06", sessions: 1 });
  expect(data.asOf).toEqual(new Date("2020-01-03T15:00:00Z"));
  // The running session is that of the latest reading.
  expect(data.days.map(({ session }) => session)).toEqual(["2020-01-02", "2020-01-06"]);
});
