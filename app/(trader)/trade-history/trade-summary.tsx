import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { countText } from "@/lib/domain/format.ts";
import { Money } from "../../_ui/money.tsx";
import { Stat } from "../../_ui/stat.tsx";

type Page = Answer<typeof tradesApi.list>;

/** Over all trades that match the filters, not only those on the page. */
export function TradeSummary({ summary }: Pick<Page, "summary">) {
  return (
    <section aria-label="Summary" className="rounded-xl border border-line bg-surface p-4 sm:p-5">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat label="Total Trades">{countText(summary.totalTrades)}</Stat>
        <Stat label="Total Volume">
          <Money value={summary.totalVolume} />
        </Stat>
        <Stat label="Filled Trades">{countText(summary.filledTrades)}</Stat>
        <Stat label="Avg Trade Size">
          <Money value={summary.averageTradeSize} />
        </Stat>
      </dl>
    </section>
  );
}
