import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { insightApi } from "@/lib/contracts/insight.ts";
import { answer } from "@/lib/proof/screen/answers.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import { ExplanationCard } from "./explanation-card.tsx";

const told = (text: string) => ({
  isOn: true,
  explanation: {
    ...{ writer: "TEMPLATE" as const, model: null, isWaiting: false },
    sentences: [{ parts: [{ text, isAmount: false }], cites: [] }],
  },
});

function Page() {
  const [status, setStatus] = useState("NEW");
  return (
    <>
      <button onClick={() => setStatus("FILLED")}>It fills</button>
      <ExplanationCard
        endpoint={insightApi.trade}
        input={{ id: "0192f0c1-0000-7000-8000-000000000009" }}
        here="/"
        of={status}
      />
    </>
  );
}

test("records that changed while they are looked at are explained anew", async () => {
  answer(insightApi.trade, told("It has not filled yet.") as never);
  showPage("/trade-history/a", TRADER, <Page />);
  await expect.element(page.getByText("It has not filled yet.")).toBeVisible();
  // An answer is fresh for a second.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2_000 });
  answer(insightApi.trade, told("It filled.") as never);
  await page.getByRole("button", { name: "It fills" }).click();
  await expect.element(page.getByText("It filled.")).toBeVisible();
  vi.useRealTimers();
});
