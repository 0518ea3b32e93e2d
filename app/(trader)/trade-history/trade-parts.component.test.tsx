import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { colourOf } from "@/lib/proof/screen/look.ts";
import { showPage, TRADER } from "@/lib/proof/screen/show.tsx";
import type { TradeDetail } from "./labels.ts";
import { Slippage } from "./slippage.tsx";
import { TradeRules } from "./trade-why.tsx";

type Verdict = TradeDetail["verdicts"][number];
const gateOf = (code: string, passed: boolean): Verdict["gates"][number] => ({
  code,
  word: code,
  name: code,
  text: "A rule.",
  passed,
  isWarning: true,
  margin: null,
  marginText: null,
  detail: "as it stood",
  closeness: null,
});
const verdictOf = (passed: boolean, gates: Verdict["gates"]): Verdict => ({
  phase: "T1",
  passed,
  policyVersion: "2.9.0",
  at: "2026-11-20T15:00:00.000Z",
  gates,
});
const showRules = (verdict: Verdict) => showPage("/trade-history/a", TRADER, <TradeRules verdicts={[verdict]} />);

test("rules of which one warned are told to have refused nothing, not to have all passed", async () => {
  showRules(verdictOf(true, [gateOf("a", true), gateOf("b", false)]));
  await expect.element(page.getByText(/^None refused under policy 2\.9\.0/)).toBeInTheDocument();
  await expect.element(page.getByText("1 of 2 passed")).toBeInTheDocument();
});

test("rules that all passed are told to", async () => {
  showRules(verdictOf(true, [gateOf("a", true)]));
  await expect.element(page.getByText(/^All passed under policy 2\.9\.0/)).toBeInTheDocument();
});

const showSlippage = (bps: number) =>
  showPage(
    "/trade-history/a",
    TRADER,
    <dl>
      <Slippage trade={{ slippage: { bps, usd: 0 }, slippageReason: null }} />
    </dl>,
  );

test("a slippage that reads zero is neither better nor worse than decided", async () => {
  for (const bps of [0.04, -0.04, 0]) {
    showSlippage(bps);
    await expect.element(page.getByText("0.0 bps", { exact: true })).toBeVisible();
    await expect.element(page.getByText("as decided", { exact: true })).toBeVisible();
    expect(await colourOf(page.getByText("0.0 bps", { exact: true }))).not.toMatch(/red|green/);
  }
});

test("one that reads more than zero is judged", async () => {
  showSlippage(0.06);
  await expect.element(page.getByText("+0.1 bps", { exact: true })).toBeVisible();
  await expect.element(page.getByText("worse than decided")).toBeVisible();
  showSlippage(-3);
  await expect.element(page.getByText("−3.0 bps", { exact: true })).toBeVisible();
  await expect.element(page.getByText("better than decided")).toBeVisible();
});
