"use client";
import { useState } from "react";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer, Sent } from "@/lib/contracts/endpoint.ts";
import { practiceMarketApi } from "@/lib/contracts/practice-market.ts";
import { PRACTICE_SPEEDS } from "@/lib/domain/enums.ts";
import { easternText } from "@/lib/domain/format.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Segmented } from "../../_ui/segmented.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { Stat } from "../../_ui/stat.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";

const POLL_MS = 10_000;
/** Beyond this a cycle may begin later than its minute of market time. */
const PROMPT_SPEED = 60;

type Market = NonNullable<Answer<typeof practiceMarketApi.read>["market"]>;
type Steering = Sent<typeof practiceMarketApi.steer>;
/** What is to be confirmed. */
type Wish = { action: "speed"; speed: (typeof PRACTICE_SPEEDS)[number] } | { action: "pause" | "continue" | "skip" };

/** The clock of the market that all practice accounts share, and its controls. Nothing where the installation has none. */
export function PracticeMarketCard() {
  const { data, failure, retry } = useEndpoint(practiceMarketApi.read, {}, { pollMs: POLL_MS });
  const [wish, setWish] = useState<Wish | null>(null);
  if (data?.isSetUp === false) return null;
  const market = data?.market ?? null;
  return (
    <Card title="Practice market" aside={market && <StateBadge market={market} />}>
      {failure !== null && (
        <FailureNote text="Failed to load the practice market" detail={failure.message} onRetry={retry} />
      )}
      {data === undefined && failure === null && <SkeletonRows />}
      {data?.absence != null && <p className="text-sm">{data.absence}</p>}
      {market && <Clock market={market} onWish={setWish} />}
      {wish && market && <ControlDialog wish={wish} market={market} onClose={() => setWish(null)} />}
    </Card>
  );
}

function StateBadge({ market: { isPaused, isOpen } }: { market: Market }) {
  if (isPaused) return <Badge tone="warn">Paused</Badge>;
  return isOpen ? <Badge tone="gain">Open</Badge> : <Badge>Closed</Badge>;
}

function Clock({ market, onWish }: { market: Market; onWish: (wish: Wish) => void }) {
  const { now, isOpen, nextOpen, speed, isPaused, fixed } = market;
  const chosen = PRACTICE_SPEEDS.find((each) => each === speed);
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Stat label="Market time" className="col-span-2">
          {easternText(now)}
        </Stat>
        <Stat label="Speed" note={isPaused ? "when it continues" : undefined}>{`${speed}×`}</Stat>
        <Stat label="Next opening">{isOpen ? "Open now" : easternText(nextOpen)}</Stat>
      </dl>
      {fixed !== null ? (
        <p className="text-sm text-muted">{fixed}</p>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-3">
            <Segmented
              label="Speed of the practice market"
              options={PRACTICE_SPEEDS.map((each) => ({ value: String(each), label: `${each}×` }))}
              value={chosen === undefined ? "" : String(chosen)}
              onChange={(value) => {
                const next = PRACTICE_SPEEDS.find((each) => String(each) === value);
                if (next !== undefined && next !== speed) onWish({ action: "speed", speed: next });
              }}
            />
            <Button tone="secondary" onClick={() => onWish({ action: isPaused ? "continue" : "pause" })}>
              {isPaused ? "Continue" : "Pause"}
            </Button>
            <Button tone="secondary" disabled={isOpen} onClick={() => onWish({ action: "skip" })}>
              Skip to the next opening
            </Button>
          </div>
          <p className="text-xs text-muted">
            Everyone with a practice account shares this market.
            {isOpen ? " It skips to the next opening only while it is closed." : ""}
            {isPaused
              ? " While it is paused nothing moves: no price, no fill, no stop. Orders wait."
              : speed > PROMPT_SPEED
                ? ` Above ${PROMPT_SPEED}× looks at the market may come later than their minute of market time.`
                : ""}
          </p>
        </>
      )}
    </div>
  );
}

function textsOf(wish: Wish, { speed, nextOpen }: Market) {
  switch (wish.action) {
    case "speed":
      return {
        title: `Run the practice market at ${wish.speed}×?`,
        description: `It runs at ${speed}× now, for everyone with a practice account.${
          wish.speed > PROMPT_SPEED ? " Looks at the market may come later than their minute of market time." : ""
        }`,
        action: `Set ${wish.speed}×`,
      };
    case "pause":
      return {
        title: "Pause the practice market?",
        description:
          "Everything stops until it continues, for everyone with a practice account: no price changes, no order is filled, no stop triggers, and no look at the market is due. Orders wait.",
        action: "Pause",
      };
    case "continue":
      return {
        title: "Continue the practice market?",
        description: `It continues at ${speed}× from where it stopped. Orders that waited can be filled and stops can trigger.`,
        action: "Continue",
      };
    case "skip":
      return {
        title: "Skip to the next opening?",
        description: `Market time jumps to ${easternText(nextOpen)} at once, for everyone with a practice account. It cannot be taken back.`,
        action: "Skip",
      };
  }
}

function ControlDialog({ wish, market, onClose }: { wish: Wish; market: Market; onClose: () => void }) {
  const steer = useAction(practiceMarketApi.steer, { refreshes: [practiceMarketApi.read, automationApi.market] });
  return (
    <ReasonDialog
      onClose={onClose}
      {...textsOf(wish, market)}
      phrase={null}
      isBusy={steer.isBusy}
      failure={steer.failure}
      failureText="The practice market was not changed"
      onConfirm={(reason) => steer.run({ ...wish, reason } satisfies Steering, { onSuccess: onClose })}
    />
  );
}
