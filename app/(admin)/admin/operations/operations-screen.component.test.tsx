import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { operationsApi } from "@/lib/contracts/operations.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { ADMIN, showPage } from "@/lib/proof/screen/show.tsx";
import { OperationsScreen } from "./operations-screen.tsx";

const NONE = { total: 0, rows: [] };
const parked = (id: string, needsPerson: boolean): Answer<typeof operationsApi.read>["parked"]["rows"][number] => ({
  ...{ id, clientOrderId: id, side: "BUY", qty: "10", symbol: "SPY", why: null, needsPerson },
  ...{ accountId: "a", account: "Alpaca", environment: "PAPER", ownerId: "o", owner: "jane@x.example" },
  decidedAt: "2020-02-03T15:00:00.000Z",
});
const show = (rows: ReturnType<typeof parked>[]) => {
  const needPerson = rows.filter(({ needsPerson }) => needsPerson).length;
  const lists = { halted: NONE, working: NONE, activities: NONE, mails: NONE };
  answer(operationsApi.read, { ...lists, parked: { total: rows.length, needPerson, rows } });
  showPage("/admin/operations", ADMIN, <OperationsScreen />);
};

test("an order that the broker is still asked about waits for no administrator", async () => {
  show([parked("one", false)]);
  await expect.element(page.getByText("Nothing is waiting for an administrator.")).toBeVisible();
  await expect.element(page.getByText("the broker is still asked")).toBeVisible();
});

test("a parked order that has its answer waits for an administrator", async () => {
  show([parked("one", false), parked("two", true)]);
  await expect.element(page.getByText("1 item waits for an administrator.")).toBeVisible();
});
