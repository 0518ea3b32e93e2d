"use client";
import { Card } from "../../_ui/card.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { SymbolTrading } from "../../_ui/symbol-trading.tsx";
import type { SymbolAnswer } from "./symbol-screen.tsx";

/** What the reader did in it, of one environment. */
export function MyTradesTab({ data }: { data: SymbolAnswer }) {
  if (data.trades.length === 0 && data.levels.length === 0) {
    return (
      <Card>
        <Empty
          title="You have no trades in this stock"
          hint="Your purchases and sales of it are listed here, with their stops and round trips."
        >
          <ButtonLink tone="secondary" href="/decisions">
            See what was decided
          </ButtonLink>
        </Empty>
      </Card>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <SymbolTrading of={data} accounts={data.accounts} />
    </div>
  );
}
