"use client";
import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countdownText } from "@/lib/domain/format.ts";
import { useMarketClock } from "../../_hooks/use-market-clock.ts";
import { Card } from "../../_ui/card.tsx";
import { DecisionLink, DecisionOutcome } from "../../_ui/decision-outcome.tsx";
import { AmountsText } from "../../_ui/money.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";

interface AutomationCardProps {
  beat: Answer<typeof automationApi.heartbeat> | undefined;
  isLoading: boolean;
}

/** A heartbeat that cannot be read is silently ignored, as specified: the last one stays, and the page is marked stale. */
export function AutomationCard({ beat, isLoading }: AutomationCardProps) {
  const screening = beat?.marketScreening;
  const isRunning = beat?.orderStatusUpdate.status === "RUNNING" || screening?.status === "RUNNING";
  // Who paused everything waits for no run: exits and stops keep working meanwhile, and nothing is bought.
  const isPaused = !isRunning && beat?.pausedReason != null;
  const nextRunAt = isPaused ? null : screening?.nextRunAt;
  // What was looked at for accounts that are deleted stands in the log and among the decisions.
  const isOver = beat !== undefined && beat.hasDecided && beat.environments.length === 0;
  // Before the first heartbeat nothing is known: not even that there was no run.
  const absent = (text: string) => (beat === undefined ? "—" : text);
  return (
    <Card title="Automation" className="max-lg:order-4">
      {isLoading ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <>
          <p className="flex items-center gap-2 text-2xl font-semibold tracking-tight">
            <span
              role="img"
              aria-label={beat?.isInitialized === true ? "Initialized" : "Not initialized yet"}
              title={beat?.isInitialized === true ? "Initialized" : "Not initialized yet"}
              className={`size-2.5 forced-color-adjust-none rounded-full forced-colors:ring-1 forced-colors:ring-[CanvasText] ${beat?.isInitialized === true ? "bg-gain" : "bg-amber-400"}`}
            />
            {isRunning ? "Running" : "Idle"}
          </p>
          {beat?.pausedReason != null && (
            <p className="mt-1 text-warn">
              <AmountsText text={beat.pausedReason} />
            </p>
          )}
          {beat?.limitation != null && <p className="mt-1 text-sm text-warn">{beat.limitation}</p>}
          <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
            <dt className="text-muted">Last run</dt>
            <dd className="text-right">
              {screening?.lastRunAt == null ? absent(isOver ? "—" : "Never") : <Time at={screening.lastRunAt} />}
              {screening?.lastRunAt != null && beat?.lastDecision === null && <OfMarket />}
            </dd>
            <dt className="text-muted">Next run</dt>
            <dd className="text-right">
              {nextRunAt == null ? absent(isPaused ? "Paused" : "Not scheduled") : <Time at={nextRunAt} />}
            </dd>
            {nextRunAt != null && (
              <>
                <dt className="text-muted">Next run in</dt>
                <dd className="text-right">
                  <Countdown until={nextRunAt} />
                </dd>
              </>
            )}
          </dl>
          <div className="mt-4 border-t border-line pt-3">
            <h3 className="flex flex-wrap items-baseline gap-x-4 text-xs text-muted">
              Last look
              {beat?.lastDecision && (
                <span className="ml-auto">
                  <DecisionLink of={beat.lastDecision} />
                </span>
              )}
            </h3>
            <div className="mt-1">
              {beat?.lastDecision ? (
                <DecisionOutcome of={beat.lastDecision} isNarrow />
              ) : (
                absent(isOver ? "No account is looked at now." : "No look at the market yet.")
              )}
            </div>
          </div>
        </>
      )}
    </Card>
  );
}

/** The account was not there yet, or not looked at. */
const OfMarket = () => <span className="block text-xs text-muted">of the market; yours comes next</span>;

/** Real minutes and seconds: market time that is left, divided by the market's speed. */
function Countdown({ until }: { until: string }) {
  const clock = useMarketClock();
  if (clock === null || !clock.isAnswering) return <span className="text-muted">…</span>;
  if (clock.speed === 0) return <span className="text-muted">market clock paused</span>;
  return (
    <span className="font-medium tabular-nums">{countdownText((Date.parse(until) - clock.now) / clock.speed)}</span>
  );
}
