import { expect, it } from "vitest";
import { makeUser } from "@/prisma/factories.ts";
import { db } from "../db.ts";
import { notify } from "./notify.ts";

it("a text that is too long ends in a mark, and in no half of a character", async () => {
  const { id: userId } = await makeUser(db());
  const textOf = async (dedupeKey: string, text: string) => {
    await db().$transaction((tx) => notify(tx, { userId, dedupeKey, kind: "SYSTEM", title: "A title", text }));
    return (await db().notification.findFirstOrThrow({ where: { userId, dedupeKey } })).text;
  };
  expect(await textOf("fits", "x".repeat(1_000))).toBe("x".repeat(1_000));
  expect(await textOf("long", "x".repeat(1_001))).toBe(`${"x".repeat(999)}…`);
  expect(await textOf("cut", `${"x".repeat(998)}🚀${"x".repeat(10)}`)).toBe(`${"x".repeat(998)}…`);
});
