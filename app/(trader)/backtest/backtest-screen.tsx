"use client";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { PAGE_ROWS } from "../../_ui/page-rows.ts";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { isUnderWay } from "../../_ui/run-progress.tsx";
import { SkeletonCard } from "../../_ui/skeleton.tsx";
import { Compare } from "./compare.tsx";
import { FormCard } from "./form-card.tsx";
import { OverfitDefinition, OverfitMeter } from "./overfit-meter.tsx";
import { RunList } from "./run-list.tsx";
import { MARKET_LABELS } from "./labels.ts";

/** All that one person keeps. */
const BUSY_POLL_MS = 2_000;
const CALM_POLL_MS = 20_000;
const COMPARED_MAX = 4;

export function BacktestScreen() {
  const [isBusy, setBusy] = useState(false);
  const { values, change } = useUrlValues({ compare: "", like: "" });
  const chosen = values.compare.split(",");
  const runs = useEndpoint(
    backtestsApi.list,
    { limit: PAGE_ROWS.backtests },
    { pollMs: isBusy ? BUSY_POLL_MS : CALM_POLL_MS },
  );
  const rows = runs.data?.backtests;
  const isAnyUnderWay = rows?.some(isUnderWay) ?? false;
  if (isAnyUnderWay !== isBusy) setBusy(isAnyUnderWay);

  const done = new Set((rows ?? []).flatMap(({ id, status }) => (status === "DONE" ? [id] : [])));
  const over = new Set((rows ?? []).flatMap((row) => (isUnderWay(row) ? [] : [row.id])));
  const compared = chosen.filter((id) => done.has(id)).slice(0, COMPARED_MAX);
  const choose = (next: readonly string[]) => change({ compare: next.join(",") });
  const toggle = (id: string) =>
    choose(compared.includes(id) ? compared.filter((one) => one !== id) : [...compared, id]);
  const overfit = runs.data?.overfit ?? [];

  return (
    <div className="flex flex-col gap-4">
      <PageHead title="Backtest" environment={<EnvironmentBadge environment="BACKTEST" />} isStale={runs.isStale}>
        <Button tone="secondary" onClick={runs.retry} disabled={runs.isRefreshing}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      </PageHead>
      <p className="max-w-prose text-muted">
        What a strategy would have done in the past: the same decisions as the live automation, with fills from a model.
        No account is traded.
      </p>
      {runs.failure !== null && (
        <FailureNote text="Failed to load backtests" detail={runs.failure.message} onRetry={runs.retry} />
      )}
      <FormCard likeId={values.like === "" ? null : values.like} over={over} onQueued={() => change({ like: "" })} />
      {runs.isLoading && <SkeletonCard className="h-64" />}
      {rows !== undefined && (
        <RunList rows={rows} compared={compared} canCompareMore={compared.length < COMPARED_MAX} onToggle={toggle} />
      )}
      {compared.length >= 2 && <Compare ids={compared} onClear={() => choose([])} />}
      {overfit.length > 0 && (
        <Card
          title={
            <>
              Overfit meter <OverfitDefinition />
            </>
          }
          aside={<EnvironmentBadge environment="BACKTEST" />}
        >
          <div className="flex flex-col gap-4">
            {overfit.map((one) => (
              <OverfitMeter
                key={`${one.market} ${one.strategy}`}
                title={`${STRATEGIES[one.strategy].label}, ${MARKET_LABELS[one.market]}`}
                overfit={one}
              />
            ))}
          </div>
        </Card>
      )}
    </div>
  );
}
