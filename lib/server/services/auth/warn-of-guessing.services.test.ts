import { expect, it } from "vitest";
import { testContext } from "@/lib/proof/fixtures/orders.ts";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "../../db.ts";
import { warnOfGuessing } from "./warn-of-guessing.ts";

it("an unverified address gets no warning of guesses, which would carry a name that a stranger chose", async () => {
  const [verified, unverified] = [await makeUser(db()), await makeUser(db())];
  await db().user.update({ where: { id: verified.id }, data: { emailVerifiedAt: new Date() } });
  await db().user.update({ where: { id: unverified.id }, data: { emailVerifiedAt: null } });
  const context = { ...testContext(), queue: { enqueue: () => Promise.resolve(undefined) } as never };
  for (const { email } of [verified, unverified]) await warnOfGuessing(context, { email });
  const recipients = (await db().outbox.findMany()).map(({ recipient }) => recipient);
  expect(recipients).toEqual([verified.email]);
});

it("a warning of guesses goes whatever mails are switched off, once a day, and stands among the notifications", async () => {
  const user = await makeUser(db());
  const context = { ...testContext(), queue: { enqueue: () => Promise.resolve(undefined) } as never };
  await warnOfGuessing(context, { email: user.email });
  await warnOfGuessing(context, { email: user.email });
  expect(await db().outbox.findMany({ where: { userId: user.id } })).toMatchObject([
    { props: { urgency: "security" } },
  ]);
  expect(await db().notification.findMany({ where: { userId: user.id } })).toMatchObject([
    { kind: "SECURITY", title: "Many wrong passwords were entered for your account" },
  ]);
});
