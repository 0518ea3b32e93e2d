import { describe, expect, it } from "vitest";
import { createStatementNames } from "./statement-names.ts";

const read = (sql: string, args = 1) => ({ sql, args: Array.from({ length: args }, () => "x") });

describe("a statement", () => {
  it("has a name from its third time on, always the same and never another statement's", () => {
    const nameOf = createStatementNames();
    expect([1, 2, 3, 4].map(() => nameOf(read("select 1")))).toEqual(["", "", "s1", "s1"]);
    expect([1, 2, 3].map(() => nameOf(read("select 2")))).toEqual(["", "", "s2"]);
    expect(nameOf(read("select 1"))).toBe("s1");
  });

  it("that is long or has many arguments has none", () => {
    const nameOf = createStatementNames();
    for (const statement of [read(`select ${"1".repeat(8_000)}`), read("select 1", 61)])
      expect([1, 2, 3, 4].map(() => nameOf(statement))).toEqual(["", "", "", ""]);
  });

  it.each(['select * from "T"', 'insert into "T" values (1) returning *', 'select t.* from "T" t'])(
    "that asks for all columns has none, as a migration may add one: %s",
    (sql) => {
      const nameOf = createStatementNames();
      expect([1, 2, 3, 4].map(() => nameOf(read(sql)))).toEqual(["", "", "", ""]);
    },
  );

  it.each(["BEGIN", "COMMIT", "ROLLBACK", "set local lock_timeout = 1000"])("of no rows has none: %s", (sql) => {
    const nameOf = createStatementNames();
    expect([1, 2, 3, 4].map(() => nameOf(read(sql, 0)))).toEqual(["", "", "", ""]);
  });

  it("with a list of varying length has none, and one of a few states has", () => {
    const nameOf = createStatementNames();
    const again = (list: string) =>
      [1, 2, 3].map(() => nameOf(read(`select "id" from "T" where "k" IN (${list})`))).at(-1);
    expect(again("$1,$2,$3,$4,$5")).toBe("");
    expect(again("$1,$2")).toBe("s1");
    expect(again('CAST($1::text AS "S"),CAST($2::text AS "S"),$3,$4,$5,$6')).toBe("s2");
  });

  it("that counts or multiplies has one", () => {
    const nameOf = createStatementNames();
    const sql = 'select count(*), sum("qty" * "price") from "Fill"';
    expect([1, 2, 3].map(() => nameOf(read(sql))).at(-1)).toBe("s1");
  });

  it("that comes when every name is given goes without, and the others keep theirs", () => {
    const nameOf = createStatementNames(1);
    const again = (sql: string) => [1, 2, 3].map(() => nameOf(read(sql))).at(-1);
    expect([again("select 1"), again("select 2"), again("select 1")]).toEqual(["s1", "", "s1"]);
  });

  it("is forgotten among thousands that come once", () => {
    const nameOf = createStatementNames();
    nameOf(read("select 0"));
    nameOf(read("select 0"));
    for (let length = 1; length <= 2_000; length += 1) nameOf(read(`select ${length}`));
    expect(nameOf(read("select 0"))).toBe("");
  });
});
