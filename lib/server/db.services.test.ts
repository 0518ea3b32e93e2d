import { expect, it } from "vitest";
import { db, isUniqueViolation } from "./db.ts";

it("a database of its own answers, and a taken unique value is told apart", async () => {
  const row = { email: "a@example.com", firstName: "A", lastName: "B", passwordHash: "x" };
  await db().user.create({ data: row });
  const error = await db()
    .user.create({ data: row })
    .catch((e: unknown) => e);
  expect(isUniqueViolation(error)).toBe(true);
});

it("the database refuses an address that is not lower case", async () => {
  await expect(
    db().user.create({ data: { email: "A@example.com", firstName: "A", lastName: "B", passwordHash: "x" } }),
  ).rejects.toThrow();
});
