import { expect, it } from "vitest";
import type { VerdictSheet } from "@/lib/domain/engine/verdict-sheet.ts";
import { asSuperuser } from "@/lib/proof/fixtures/every-right.ts";
import { db } from "../../db.ts";
import { type Sheet, withStoredSheets } from "./verdict-sheets.ts";

const sheet = (id: string): Sheet => ({ id, sheet: { text: "{}" } as VerdictSheet, isStored: false });
const stored = async () => (await db().verdictSheet.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);
const nothing = () => Promise.resolve();

it("pages of a cycle that store the same sheets in different orders do not wait for each other in a circle", async () => {
  const insert = (id: string) => `insert into "VerdictSheet" ("id", "content") values ('${id}', '{}')`;
  const waits = () =>
    db().$queryRaw<{ n: bigint }[]>`
      select count(*) as n from pg_stat_activity where "query" like 'insert into "VerdictSheet"%' and "wait_event_type" = 'Lock'`;
  let other: Promise<unknown> = nothing();
  await db().$transaction(async (tx) => {
    await tx.$executeRawUnsafe(insert("circle-a"));
    other = withStoredSheets(db(), [sheet("circle-b"), sheet("circle-a")], nothing);
    await expect.poll(async () => Number((await waits())[0]?.n)).toBe(1);
    await tx.$executeRawUnsafe(insert("circle-b"));
  });
  await other;
  expect(await stored()).toEqual(["circle-a", "circle-b"]);
});

it("a sheet that was deleted since it was stored is stored again once what refers to it was refused", async () => {
  const one = sheet("purged");
  await withStoredSheets(db(), [one], nothing);
  await asSuperuser((all) => all.$executeRaw`delete from "VerdictSheet" where "id" = 'purged'`);
  const seen: boolean[] = [];
  const refer = async () => {
    seen.push((await stored()).includes("purged"));
    if (!seen.at(-1)) throw new Error("violates foreign key constraint");
  };
  await expect(withStoredSheets(db(), [one], refer)).rejects.toThrow("foreign key");
  await withStoredSheets(db(), [one], refer);
  expect(seen).toEqual([false, true]);
});
