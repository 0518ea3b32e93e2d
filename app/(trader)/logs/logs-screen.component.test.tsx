import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { logsApi } from "@/lib/contracts/logs.ts";
import { answer, refusal } from "@/lib/proof/screen/answers.ts";
import { overflowOfPage } from "@/lib/proof/screen/layout.ts";
import { expectAccessible, passes, query, textsOf } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { LogsScreen } from "./logs-screen.tsx";

type Line = Answer<typeof logsApi.tail>["logs"][number];

const lineOf = (id: number): Line => ({
  id: String(id),
  level: id % 10 === 0 ? "error" : id % 5 === 0 ? "warn" : "info",
  message: id % 7 === 0 ? `line ${id} about AAPL ${"and so on ".repeat(60)}` : `line ${id}`,
  timestamp: new Date(Date.UTC(2026, 10, 20, 15) + id * 1_000).toISOString(),
  marketAt: null,
  accountId: null,
  cycleId: null,
  account: null,
  decisionId: null,
  user: null,
});

/** The server's tail from now on: 200 lines up to this one. */
const answerTail = (last: number) =>
  answer(logsApi.tail, { logs: Array.from({ length: 200 }, (_, nth) => lineOf(last - 199 + nth)) });

const show = (rest = "") => showPage(`/logs${rest}`, TRADER, <LogsScreen />);
const log = page.getByRole("log", { name: "System log, newest last" });
const line = (id: number) => log.getByText(`line ${id}`, { exact: true });
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const refresh = () => button("Refresh Now").click();
const lines = () => expect.element(log.getByRole("listitem"));

/** The log stands at its end, and this is its last line. */
const expectEnd = (id: number) =>
  expect
    .poll(() => {
      const node = log.element();
      return {
        last: [...node.querySelectorAll("li")].at(-1)?.querySelector("div p")?.textContent,
        isAtEnd: node.scrollHeight - node.scrollTop - node.clientHeight < 24 && node.scrollTop > 0,
      };
    })
    .toEqual({ last: `line ${id}`, isAtEnd: true });

beforeEach(() => {
  answerTail(200);
  answer(logsApi.dailyReview, {
    environment: "PRACTICE",
    environments: ["PRACTICE"],
    reviewed: 502,
    executed: 3,
    decisions: 12,
    sessionDate: "2026-11-20",
  });
});

test("the log follows what comes in at its end, and moves nothing that is being read", async () => {
  show();
  await textsOf("dl .skeleton").toEqual([]);
  await expectEnd(200);
  answerTail(202);
  await refresh();
  await expectEnd(202);

  // Far enough from the end that nothing scrolls by itself.
  const read = await line(150).findElement();
  read.scrollIntoView({ block: "center" });
  const before = read.getBoundingClientRect().top;
  answerTail(214);
  await refresh();
  await expect.element(button("12 new")).toBeVisible();
  expect(line(150).element().getBoundingClientRect().top, "what is read stays where it is").toBe(before);
  await button("12 new").click();
  await expectEnd(214);
  await expect.element(page.getByRole("button", { name: /new$/ })).not.toBeInTheDocument();

  window.getSelection()?.selectAllChildren(await line(213).findElement());
  answerTail(219);
  await refresh();
  // Selected text holds the log.
  await expect.element(button("5 new")).toBeVisible();
  await expect.element(line(219)).not.toBeInTheDocument();
  await button("5 new").click();
  await expectEnd(219);
});

test("levels and a search narrow the lines, mark what is found and stay in the address", async () => {
  show();
  for (const [level, count, word] of [
    ["Errors", 20, "Error"],
    ["Warnings", 20, "Warning"],
    ["Info", 160, "Info"],
    ["All", 200, "Error"],
  ] as const) {
    await button(level).click();
    await lines().toHaveLength(count);
    await expect.element(log.getByText(word, { exact: true }).first()).toBeVisible();
  }
  const search = page.getByLabelText("Search", { exact: true });
  await search.fill("aapl");
  await lines().toHaveLength(28);
  await textsOf("[role=log] mark").toEqual(Array.from({ length: 28 }, () => "AAPL"));
  await query().toMatch(/[?&]q=aapl/);
  show(window.location.search);
  await lines().toHaveLength(28);
  const { scrollWidth, clientWidth } = log.element();
  expect(scrollWidth, "long lines wrap").toBe(clientWidth);
  await search.fill("nothing like it");
  await expect.element(page.getByText("No lines found")).toBeVisible();
  await button("Show all lines").click();
  await lines().toHaveLength(200);
});

test("it asks every 5 seconds; a failure leaves the lines, marks them stale and offers another try", async () => {
  const asked = answerTail(200);
  vi.useFakeTimers();
  show();
  const panel = page.getByRole("tabpanel");
  const isStale = () => panel.getByText("stale", { exact: true }).query() !== null;
  await passes(() => line(200).query() !== null, 100);
  const first = asked.length;
  await passes(() => asked.length > first, 100);
  const second = asked.length;
  await vi.advanceTimersByTimeAsync(4_700);
  expect(asked.length, "nothing is asked before the time").toBe(second);
  await passes(() => asked.length > second, 100);

  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  answer(logsApi.tail, refusal(503, "unavailable"));
  await passes(isStale);
  await passes(() => panel.getByRole("button", { name: "Retry" }).query() !== null);
  // What was shown stays; a failure is logged, and only logged.
  await expect.element(line(200)).toBeVisible();
  expect(logged.mock.calls.flat().map(String).join("\n")).toContain("loading the log");
  expect(page.getByRole("alert").filter({ hasText: /\S/ }).elements()).toEqual([]);
  answerTail(200);
  await panel.getByRole("button", { name: "Retry" }).click();
  await passes(() => !isStale(), 100);
});

test("counters that could not be read say nothing of what they count", async () => {
  answer(logsApi.dailyReview, refusal(503, "unavailable"));
  show();
  const counters = page.getByRole("region", { name: "Today" });
  await expect.element(counters.getByText("not loaded", { exact: true })).toBeVisible();
  await expect.element(counters.getByText("—", { exact: true })).toHaveLength(2);
  await expect.element(counters.getByText("No account yet")).not.toBeInTheDocument();
});

const eventOf = (nth: number): Answer<typeof logsApi.audit>["auditLogs"][number] => ({
  id: String(1_000 - nth),
  timestamp: "2026-11-20T15:00:00.000Z",
  eventType: "SIGNED_IN",
  text: `Event ${nth}`,
  topic: "security",
  ipAddress: null,
  eventData: {},
  closed: null,
  actor: { kind: "self", name: "You" },
  user: null,
  requestId: null,
  tradeId: null,
});

test("events of the page before keep their numbers, and are marked, until the next page is there", async () => {
  const { promise: late, resolve: give } = Promise.withResolvers<void>();
  answer(logsApi.audit, async ({ cursor }) => {
    if (cursor !== undefined) await late;
    const [first, many] = cursor === undefined ? [1, 50] : [51, 10];
    return {
      auditLogs: Array.from({ length: many }, (_, nth) => eventOf(first + nth)),
      summary: { totalEvents: 60 },
      pagination: { nextCursor: cursor === undefined ? "2" : null, limit: 50 },
    };
  });
  show("?tab=audit");
  await button("Older").click();
  await expect.element(button("Older")).toHaveAttribute("aria-disabled", "true");
  await expect.element(page.getByText("Events 1 to 50 of 60")).toBeVisible();
  expect(document.querySelector("main [aria-busy=true]")?.textContent).toContain("Event 50");
  give();
  await expect.element(page.getByText("Events 51 to 60 of 60")).toBeVisible();
  expect(document.querySelector("main [aria-busy=true]")).toBeNull();
});

test("marked lines are free of grave axe violations and no wider than the screen", async () => {
  await page.viewport(1440, 844);
  show("?q=aapl");
  await lines().toHaveLength(28);
  await expectAccessible("marked lines");
  expect(overflowOfPage()).toBeLessThanOrEqual(0);
});
