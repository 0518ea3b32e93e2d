import { expect, it } from "vitest";
import { createHashQueue } from "./hash-queue.ts";

/** A queue whose turns are noted by name in the order in which they come; refused ones apart. */
function noted() {
  const queue = createHashQueue();
  const [turns, refused]: [string[], string[]] = [[], []];
  return {
    turns,
    refused,
    wait: (name: string, account: string | null) =>
      void queue.wait(account).then(
        () => turns.push(name),
        ({ code }: { code: string }) => refused.push(`${name} ${code}`),
      ),
    /** Gives so many turns; answers how many were taken. */
    async give(count: number): Promise<number> {
      let taken = 0;
      for (let n = 0; n < count; n += 1) {
        const next = queue.next();
        if (!next) break;
        next();
        taken += 1;
      }
      await Promise.resolve();
      await Promise.resolve();
      return taken;
    },
  };
}

it("an account that fills the seats of owners gives one up for another owner, who has the second turn", async () => {
  const { wait, give, turns, refused } = noted();
  for (let n = 0; n < 20; n += 1) wait(`crowd-${n}`, "crowd");
  wait("owner", "owner");
  await give(2);
  expect(refused).toEqual(["crowd-19 unavailable"]);
  expect(turns).toEqual(["crowd-0", "owner"]);
});

it("accounts take turns, however many of one wait", async () => {
  const { wait, give, turns } = noted();
  for (const name of ["a1", "a2", "a3"]) wait(name, "a");
  for (const name of ["b1", "b2"]) wait(name, "b");
  expect(await give(9)).toBe(5);
  expect(turns).toEqual(["a1", "b1", "a2", "b2", "a3"]);
});

it("where twenty accounts wait with one hash each, a second one of theirs and another account are told to retry", async () => {
  const { wait, give, turns, refused } = noted();
  for (let n = 0; n < 20; n += 1) wait(`owner-${n}`, `account-${n}`);
  wait("again", "account-0");
  wait("late", "account-20");
  await give(0);
  expect(refused).toEqual(["again unavailable", "late unavailable"]);
  expect(await give(30)).toBe(20);
  expect(turns).toHaveLength(20);
});

it("owners go before others and leave them one turn of five; a crowd of others takes no seat of theirs", async () => {
  const { wait, give, turns, refused } = noted();
  for (let n = 0; n < 25; n += 1) wait(`stranger-${n}`, null);
  for (let n = 0; n < 9; n += 1) wait(`owner-${n}`, `account-${n % 3}`);
  expect(await give(10)).toBe(10);
  expect(refused).toHaveLength(5);
  expect(turns.map((name) => name.replace(/-\d+$/, ""))).toEqual([
    ...Array<string>(4).fill("owner"),
    "stranger",
    ...Array<string>(4).fill("owner"),
    "stranger",
  ]);
  expect(await give(30)).toBe(19);
});
