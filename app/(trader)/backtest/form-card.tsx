"use client";
import { useState } from "react";
import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { BacktestForm } from "./backtest-form.tsx";

interface FormCardProps {
  likeId: string | null;
  over: ReadonlySet<string>;
  onQueued: () => void;
}

/** The form with what it begins with: the user's own settings, or those of a run to be done again. */
export function FormCard({ likeId, over, onQueued }: FormCardProps) {
  const options = useEndpoint(backtestsApi.options, {});
  const like = useEndpoint(backtestsApi.read, { id: likeId ?? "" }, { isEnabled: likeId !== null });
  // A run that was queued takes its example out of the address: the form stays with what was entered and says that it is queued.
  const [queuedLike, setQueuedLike] = useState<string | null>(null);
  const isWaiting = likeId !== null && like.data?.id !== likeId && like.failure === null;
  return (
    <Card title="New backtest">
      {options.failure !== null && (
        <FailureNote text="Failed to load what can be run" detail={options.failure.message} onRetry={options.retry} />
      )}
      {(options.isLoading || isWaiting) && <Skeleton className="h-[632px] sm:h-[584px] lg:h-[332px]" />}
      {options.data !== undefined && !isWaiting && (
        <BacktestForm
          key={likeId ?? queuedLike ?? "own"}
          options={options.data}
          like={likeId !== null && like.data?.id === likeId ? like.data : null}
          over={over}
          onQueued={() => {
            if (likeId !== null) setQueuedLike(likeId);
            onQueued();
          }}
        />
      )}
    </Card>
  );
}
