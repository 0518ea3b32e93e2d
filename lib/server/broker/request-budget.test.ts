import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRequestBudget, type RequestBudget } from "./request-budget.ts";
import { createLocalBucket, type Priority } from "./token-bucket.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const PATIENT = 1_000_000;

const ofItsOwn = (minuteMs = () => 60_000, perMinute = 120) =>
  createRequestBudget(createLocalBucket(minuteMs, { perMinute, mostDebt: 80 }));

/** Asks for so many requests; answers the words of those that went, in order. */
function asking(budget: RequestBudget) {
  const gone: string[] = [];
  const ask = (priority: Priority, name: string = priority, maxWaitMs = PATIENT) =>
    void budget.take(priority, maxWaitMs).then((isFree) => gone.push(isFree ? name : `${name} timed out`));
  return { gone, ask };
}

describe("the budget of an account's requests", () => {
  it("lets 120 of a minute go at once, and the next ones as the minute passes", async () => {
    const { gone, ask } = asking(ofItsOwn());
    for (let n = 0; n < 125; n += 1) ask("reading");
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toHaveLength(120);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(gone).toHaveLength(122);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(gone).toHaveLength(125);
  });

  it("never lets more than 120 and a minute's refill go in any minute, and never more than the broker's 200", async () => {
    const { gone, ask } = asking(ofItsOwn());
    for (let n = 0; n < 400; n += 1) ask("entry");
    for (let n = 0; n < 400; n += 1) ask("cancel");
    await vi.advanceTimersByTimeAsync(0);
    expect(gone.length).toBeLessThanOrEqual(200);
    const before = gone.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(gone.length - before).toBeLessThanOrEqual(120);
  });

  it("cancels, sales and lookups go past a used-up budget; the rest waits: entries before readings", async () => {
    const budget = ofItsOwn(() => 60_000, 1);
    const { gone, ask } = asking(budget);
    ask("reading", "first");
    for (const priority of ["reading", "entry", "exit", "lookup", "cancel"] as const) ask(priority);
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toHaveLength(4);
    expect(new Set(gone.slice(1))).toEqual(new Set(["exit", "lookup", "cancel"]));
    await vi.advanceTimersByTimeAsync(6 * 60_000);
    expect(gone.slice(4)).toEqual(["entry", "reading"]);
  });

  it("a pause stops everything; afterwards cancels are first in line (B7)", async () => {
    const budget = ofItsOwn();
    const { gone, ask } = asking(budget);
    budget.pause(5_000);
    for (const priority of ["reading", "entry", "cancel", "exit", "lookup"] as const) ask(priority);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(gone).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(gone).toEqual(["cancel", "exit", "lookup", "entry", "reading"]);
  });

  it("a request that has waited for its time times out, and takes nothing", async () => {
    const { gone, ask } = asking(ofItsOwn(() => 60_000, 1));
    ask("entry", "first");
    ask("entry", "second", 1_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(gone).toEqual(["first", "second timed out"]);
    await vi.advanceTimersByTimeAsync(59_000);
    ask("entry", "third");
    await vi.advanceTimersByTimeAsync(0);
    expect(gone.at(-1)).toBe("third");
  });

  it("counts the market's minutes, but none shorter than a second", async () => {
    let minuteMs = 6_000;
    const { gone, ask } = asking(ofItsOwn(() => minuteMs));
    for (let n = 0; n < 480; n += 1) ask("reading");
    await vi.advanceTimersByTimeAsync(6_000);
    expect(gone).toHaveLength(240);
    minuteMs = 1;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(gone.length).toBeLessThanOrEqual(361);
    expect(gone.length).toBeGreaterThan(350);
  });
});
