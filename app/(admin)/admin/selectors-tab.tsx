"use client";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { dateText } from "@/lib/domain/format.ts";
import { REGIME_LABELS } from "@/lib/domain/selector-labels.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { MarketSwitch } from "../market-switch.tsx";
import { useMarket } from "../use-market.ts";

const POLL_MS = 30_000;

const PAGES = [
  {
    href: "/admin/top50-selector",
    title: "Top-50 Selector",
    text: "The seats of the last selection with their scores and reasons.",
  },
  {
    href: "/admin/earnings-watchlist",
    title: "Earnings Watchlist",
    text: "The 20 stocks expected to move most on their reports in the next two weeks.",
  },
  {
    href: "/admin/qa-results",
    title: "QA Results",
    text: "The six rules on the last selection, with their margins.",
  },
] as const;

export function SelectorsTab() {
  const { input, only, wanted } = useMarket();
  const top50 = useEndpoint(selectorsApi.top50, input, { pollMs: POLL_MS });
  const data = only(top50.data);
  const regime = data?.regime;
  const query = wanted === undefined ? "" : `?market=${wanted.toLowerCase()}`;
  return (
    <div className="flex flex-col gap-4">
      {top50.failure !== null && (
        <FailureNote text="Failed to load Top-50 selector data" detail={top50.failure.message} onRetry={top50.retry} />
      )}
      <Card title="Market Regime" aside={<MarketSwitch of={top50.data} />}>
        {data === undefined ? (
          <Skeleton className="h-7 w-40" />
        ) : regime ? (
          <p className="flex flex-wrap items-center gap-3">
            <Badge tone={REGIME_LABELS[regime.regime_label].tone}>{regime.regime_label}</Badge>
            <span className="text-sm text-muted">Session of {dateText(regime.sessionDate)}</span>
          </p>
        ) : (
          <p className="text-sm text-muted">No regime has been read yet: this market has not been screened.</p>
        )}
      </Card>
      <div className="grid gap-4 sm:grid-cols-3">
        {PAGES.map(({ href, title, text }) => (
          <Card key={href} title={title} className="flex flex-col">
            <p className="mb-4 grow text-sm">{text}</p>
            <ButtonLink tone="secondary" href={`${href}${query}`}>
              Open {title}
            </ButtonLink>
          </Card>
        ))}
      </div>
    </div>
  );
}
