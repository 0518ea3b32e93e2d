"use client";
import { consoleApi } from "@/lib/contracts/console.ts";
import { countText, shareText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";

const POLL_MS = 10_000;

export function SuccessCard() {
  const { input } = useEnvironment();
  const { data, failure, retry } = useEndpoint(consoleApi.tradingSuccessRate, input, { pollMs: POLL_MS });
  return (
    <Card title="Trading Success Rate">
      {failure !== null && (
        <FailureNote text="Failed to load the trading success rate" detail={failure.message} onRetry={retry} />
      )}
      {data === undefined ? (
        failure === null && <Skeleton className="h-14 w-36" />
      ) : (
        <>
          <p className="text-2xl font-semibold tracking-tight tabular-nums">
            {data.successRate === null ? "—" : shareText(data.successRate)}
          </p>
          <p className="mt-1 text-sm text-muted">
            {data.totalTrades === 0
              ? "No round trip was closed yet."
              : `${countText(data.profitableTrades)} of ${countText(data.totalTrades)} closed round trips made a profit.`}
          </p>
        </>
      )}
    </Card>
  );
}
