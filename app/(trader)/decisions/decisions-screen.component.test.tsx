import { beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { decisionsApi } from "@/lib/contracts/decisions.ts";
import type { Answer, Sent } from "@/lib/contracts/endpoint.ts";
import { insightApi } from "@/lib/contracts/insight.ts";
import { LISTED, PRACTICE_ACCOUNT } from "@/lib/proof/screen/account-answers.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { query, says } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { DecisionsScreen } from "./decisions-screen.tsx";

const PAPER = { ...LISTED, id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6", name: "Paper one" };
const PRACTICE = { ...PRACTICE_ACCOUNT, id: "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f7", name: "Practice one" };
const REMOVED = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f8";

type Row = Answer<typeof decisionsApi.list>["decisions"][number];
const rowOf = (accountId: string, environmentLabel: "PAPER" | "PRACTICE"): Row => ({
  id: `0192f0c1-0000-7000-8000-${accountId.slice(-12)}`,
  cycleId: "0192f0c1-0000-7000-8000-000000000001",
  account: { id: accountId, name: `of ${environmentLabel}`, environmentLabel },
  line: "10:05: 495 screened",
  decidedAt: "2026-11-20T15:00:00.000Z",
  screened: 495,
  seated: 50,
  signals: 0,
  entries: 0,
  bought: 0,
  orders: 0,
  reasons: [],
});

const environmentOf = (input: { environment?: string | undefined }) =>
  input.environment === "PRACTICE" ? ("PRACTICE" as const) : ("PAPER" as const);
const ENVIRONMENTS: ("PAPER" | "PRACTICE")[] = ["PAPER", "PRACTICE"];
const choose = (label: string) =>
  page.getByRole("group", { name: "Environment" }).getByText(label, { exact: true }).click();

const expectRows = (many: number) => expect.poll(() => document.querySelectorAll("main tbody tr").length).toBe(many);

let lists: Sent<typeof decisionsApi.list>[];
beforeEach(() => {
  answer(accountsApi.list, [PAPER, PRACTICE]);
  lists = answer(decisionsApi.list, (input) => {
    const environment = environmentOf(input);
    const own = environment === "PAPER" ? [PAPER.id, REMOVED] : [PRACTICE.id];
    const asked = own.filter((id) => input.accountId === undefined || input.accountId === id);
    return {
      environment,
      environments: ENVIRONMENTS,
      decisions: asked.map((id) => rowOf(id, environment)),
      pagination: { nextCursor: null, limit: 100 },
      keptDays: null,
    };
  });
  answer(insightApi.rehearsal, (input) => {
    const environment = environmentOf(input);
    const regime = { label: "neutral" as const, vix: 20, spyClose: 600, votes: 0 };
    return {
      environment,
      environments: ENVIRONMENTS,
      isOn: true,
      rehearsal: {
        isHypothetical: true as const,
        account: { id: PAPER.id, name: "Main" },
        decision: { id: REMOVED, decidedAt: "2026-11-20T15:00:00.000Z", line: "" },
        isAsRecorded: true,
        regime: { recorded: regime, supposed: regime },
        line: "",
        orders: [],
        cancels: 0,
        refused: [],
        sentences: [
          {
            parts: [{ text: `It would sell in ${environment}`, isAmount: false }],
            cites: [{ label: "it", href: "/" }],
          },
        ],
        assumptions: [],
      },
    };
  });
});

test("a rehearsal never stands under the badge of another environment", async () => {
  showPage("/decisions?env=practice", TRADER, <DecisionsScreen />);
  await says("What would it do if …").toBeVisible();
  await choose("Paper");
  await page.getByRole("button", { name: "Shock" }).click();
  await expect.element(page.getByText("It would sell in PAPER")).toBeVisible();
  await choose("Practice");
  await query().toBe("?env=practice");
  await says("What would it do if …").toBeVisible();
  await expect.element(page.getByText("It would sell in PAPER")).not.toBeInTheDocument();
});

test("the filter of an account is dropped with its environment", async () => {
  showPage(`/decisions?env=paper&account=${PAPER.id}`, TRADER, <DecisionsScreen />);
  await expect.element(page.getByLabelText("Account")).toHaveDisplayValue("Paper one");
  await choose("Practice");
  await query().toBe("?env=practice");
  await expect.element(page.getByLabelText("Account")).toHaveDisplayValue("All");
  await expectRows(1);
  expect(lists.at(-1)?.accountId).toBeUndefined();
});

test("the decisions of a removed account stay reachable by its address", async () => {
  showPage(`/decisions?env=paper&account=${REMOVED}`, TRADER, <DecisionsScreen />);
  await expectRows(1);
  await query().toBe(`?env=paper&account=${REMOVED}`);
  await expect.element(page.getByLabelText("Account")).toHaveDisplayValue("Removed account");
  expect(lists.every(({ accountId }) => accountId === REMOVED)).toBe(true);
});

test("an account in the address that is no id filters nothing", async () => {
  showPage("/decisions?env=paper&account=zz", TRADER, <DecisionsScreen />);
  await expectRows(2);
  await expect.element(page.getByLabelText("Account")).toHaveDisplayValue("All");
  expect(lists.map(({ accountId }) => accountId)).toEqual(lists.map(() => undefined));
});

test("a day whose year is being typed asks nothing and keeps the list", async () => {
  showPage("/decisions?env=paper", TRADER, <DecisionsScreen />);
  await expectRows(2);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    await page.getByLabelText("Market day").fill("0202-11-20");
    await query().toContain("date=0202-11-20");
    // Much longer than typing has to rest, and shorter than a poll.
    await vi.advanceTimersByTimeAsync(2_000);
    expect(page.getByText("Failed to load decisions").elements()).toEqual([]);
    await page.getByLabelText("Market day").fill("2026-11-20");
    await expect.poll(() => lists.at(-1)?.date).toBe("2026-11-20");
  } finally {
    vi.useRealTimers();
  }
  expect(lists.some(({ date }) => date?.startsWith("0"))).toBe(false);
});
