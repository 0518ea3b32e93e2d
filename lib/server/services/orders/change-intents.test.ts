import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { changeIntent, changeIntents } from "./change-intents.ts";

type Asked = Parameters<typeof changeIntents>[0];

/** A table that answers how it was asked. */
function table(rows: unknown[] = []): { db: Asked; asked: unknown[] } {
  const asked: unknown[] = [];
  const noted =
    <T>(answer: T) =>
    (args: unknown) => {
      asked.push(args);
      return Promise.resolve(answer);
    };
  const intent = { updateMany: noted({ count: 1 }), updateManyAndReturn: noted(rows) };
  return { db: { intent } as unknown as Asked, asked };
}

describe("an intent", () => {
  it("goes only where the table of states lets it: nothing is asked of the database otherwise", async () => {
    const { db, asked } = table();
    for (const [from, to] of [
      ["UNKNOWN", "SUBMITTING"],
      ["FILLED", "LIVE"],
      ["LIVE", "GATED"],
    ] as const) {
      const forbidden = `${from} does not become ${to}`;
      await expect(changeIntents(db, { id: "x" }, { from: [from], to })).rejects.toThrow(forbidden);
      await expect(changeIntent(db, "x", { from: [from], to })).rejects.toThrow(forbidden);
    }
    expect(asked).toEqual([]);
  });

  it("is changed by compare-and-set; staying is no move", async () => {
    const { db, asked } = table();
    expect(
      await changeIntents(db, { id: "x" }, { from: ["SUBMITTING", "UNKNOWN"], to: "UNKNOWN", data: { askCount: 1 } }),
    ).toBe(1);
    expect(asked).toEqual([
      { where: { id: "x", status: { in: ["SUBMITTING", "UNKNOWN"] } }, data: { askCount: 1, status: "UNKNOWN" } },
    ]);
  });

  it("is answered as it is after the change, and as null where another process took the step", async () => {
    const { db, asked } = table([{ id: "x", status: "SUBMITTING" }]);
    expect(await changeIntent(db, "x", { from: ["GATED"], to: "SUBMITTING" })).toEqual({
      id: "x",
      status: "SUBMITTING",
    });
    expect(asked).toEqual([{ where: { id: "x", status: { in: ["GATED"] } }, data: { status: "SUBMITTING" } }]);
    expect(await changeIntent(table().db, "x", { from: ["GATED"], to: "SUBMITTING" })).toBeNull();
  });

  it("is changed nowhere else in the product", () => {
    const WRITES = /\bintents?\s*[.:]\s*\{?\s*(update|upsert)|update\s+(only\s+)?"Intent"/i;
    const sources = ["lib", "app", "workers", "prisma", "scripts"]
      .flatMap((room) => readdirSync(room, { recursive: true }).map((name) => path.join(room, String(name))))
      .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$|generated|^lib\/proof\//.test(file));
    expect(sources.length).toBeGreaterThan(300);
    expect(sources.filter((file) => WRITES.test(readFileSync(file, "utf8")))).toEqual([
      // Takes the words of a person out, never the state.
      "lib/server/services/erasure/forget-person.ts",
      "lib/server/services/orders/change-intents.ts",
    ]);
  });
});
