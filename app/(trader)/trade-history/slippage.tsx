import { ratioText } from "@/lib/domain/format.ts";
import { METRICS } from "@/lib/domain/metrics-registry.ts";
import { Definition } from "../../_ui/definition.tsx";
import { Money } from "../../_ui/money.tsx";
import { Stat } from "../../_ui/stat.tsx";
import type { TradeDetail } from "./labels.ts";

const SLIPPAGE = METRICS.find(({ id }) => id === "slippageBps");

/** What was paid beyond the price of the decision. */
export function Slippage({ trade }: { trade: Pick<TradeDetail, "slippage" | "slippageReason"> }) {
  const { slippage, slippageReason } = trade;
  const label = (
    <>
      Slippage <Definition of="slippage">{SLIPPAGE?.definition}.</Definition>
    </>
  );
  if (slippage === null)
    return (
      <Stat label={label} note={slippageReason ?? undefined}>
        —
      </Stat>
    );
  // As it is shown: what reads 0.0 is neither better nor worse.
  const bps = Number(ratioText(slippage.bps, 1));
  const sign = bps > 0 ? "+" : bps < 0 ? "−" : "";
  return (
    <Stat label={label} note={bps > 0 ? "worse than decided" : bps < 0 ? "better than decided" : "as decided"}>
      <span className={bps > 0 ? "text-loss" : bps < 0 ? "text-gain" : ""}>
        {sign}
        {Math.abs(bps).toFixed(1)} bps
      </span>{" "}
      <span className="text-sm font-normal text-muted">
        <Money value={slippage.usd} />
      </span>
    </Stat>
  );
}
