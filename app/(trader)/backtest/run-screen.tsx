"use client";
import { useState } from "react";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { BackLink } from "../../_ui/back-link.tsx";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { ButtonLink } from "../../_ui/button-link.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { ReadFailure } from "../../_ui/read-failure.tsx";
import { isUnderWay } from "../../_ui/run-progress.tsx";
import { SkeletonCard } from "../../_ui/skeleton.tsx";
import { RunResult } from "./run-result.tsx";
import { RunStatus } from "./run-status.tsx";
import { MARKET_LABELS, type Run, spanText } from "./labels.ts";

const BUSY_POLL_MS = 2_000;
const CALM_POLL_MS = 30_000;

export function RunScreen({ id }: { id: string }) {
  const [isBusy, setBusy] = useState(true);
  const run = useEndpoint(backtestsApi.read, { id }, { pollMs: isBusy ? BUSY_POLL_MS : CALM_POLL_MS });
  const cancelling = useAction(backtestsApi.cancel, { refreshes: [backtestsApi.read, backtestsApi.list] });
  const { data } = run;
  const nowBusy = data === undefined || isUnderWay(data);
  if (nowBusy !== isBusy) setBusy(nowBusy);
  return (
    <div className="flex flex-col gap-4">
      <BackLink href="/backtest">All backtests</BackLink>
      <PageHead
        title={data?.name ?? "Backtest"}
        environment={<EnvironmentBadge environment="BACKTEST" />}
        isStale={run.isStale && isBusy}
      >
        {data !== undefined && isUnderWay(data) && (
          <Button tone="secondary" disabled={cancelling.isBusy} onClick={() => cancelling.run({ id })}>
            Cancel
          </Button>
        )}
        {data !== undefined && (
          <ButtonLink tone="secondary" href={`/backtest?like=${id}`}>
            Run again with changes
          </ButtonLink>
        )}
      </PageHead>
      {data !== undefined && (
        <p className="text-muted">
          {STRATEGIES[data.strategy].label} on the {MARKET_LABELS[data.market].replace("P", "p")}, {spanText(data)}.
        </p>
      )}
      <ReadFailure
        noun="backtest"
        absence="It may have been deleted, or the address is incomplete."
        failure={run.failure}
        onRetry={run.retry}
      />
      {cancelling.failure !== null && <Banner kind="failure">{cancelling.failure.message}</Banner>}
      {run.isLoading && <SkeletonCard className="h-96" />}
      {data !== undefined && data.result === null && <Pending run={data} />}
      {data?.result && <RunResult run={data} result={data.result} />}
    </div>
  );
}

const NEXT: Record<Run["status"], string> = {
  QUEUED: "It starts as soon as the worker is free; your runs take turns.",
  RUNNING:
    "It runs its sessions three times: at the usual spread, and with fills at two and four times it. This page shows its progress. You can leave: the run continues.",
  DONE: "",
  CANCELED: "It was stopped before its end, so it has no figures and counts as no try.",
  FAILED: "It has no figures and counts as no try.",
};

function Pending({ run }: { run: Run }) {
  return (
    <Card>
      <div role="status" className="flex flex-col items-start gap-3 py-6">
        <RunStatus run={run} />
        <p className="text-sm text-muted">{NEXT[run.status]}</p>
      </div>
    </Card>
  );
}
