import { expect, it } from "vitest";
import { exampleAccount, exampleMarket } from "@/lib/proof/example-market.ts";
import { plan } from "@/lib/proof/example-rotation.ts";
import { makeUser } from "@/prisma/factories.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { db } from "../../db.ts";
import { systemContext } from "../../system-context.ts";
import { storePlan } from "./store-plan.ts";

it("a plan without orders is recorded, and asks no administrator for an approval", async () => {
  const admin = await makeUser(db(), { role: "ADMIN" });
  const proposal = plan([exampleAccount()], exampleMarket([], []));
  const alerts = () => db().notification.count({ where: { userId: admin.id } });
  const store = async (legs: typeof proposal.legs, sessionDate: string) => {
    const snapshotId = `store-plan-${sessionDate}`;
    const at = new Date(proposal.at);
    await db().marketSnapshot.create({ data: { id: snapshotId, market: proposal.market, asOf: at, content: {} } });
    const { version: policyVersion } = await activePolicy(systemContext("test"));
    const change = { ...proposal, legs, sessionDate, policyVersion };
    return storePlan(systemContext("test"), {
      ...{ proposal: change, environment: "PAPER", snapshotId, verdicts: [], leftOut: [] },
    });
  };
  const planId = await store([], "1991-01-08");
  expect(await alerts()).toBe(0);
  expect(
    await db().logEvent.findMany({
      where: { context: { path: ["planId"], equals: planId! } },
      select: { message: true },
    }),
  ).toEqual([{ message: "Nothing to rotate on 8 Jan 1991 (PRACTICE)." }]);
  expect(await db().auditEvent.count({ where: { data: { path: ["planId"], equals: planId! } } })).toBe(1);
});
