"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call } from "@/lib/client/api.ts";
import { ownEndpoint, pushState, subscribeHere, unsubscribeHere, type PushState } from "@/lib/client/push.ts";
import { CHANNEL_BOUNDS, channelsApi } from "@/lib/contracts/channels.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { useAttempt } from "../../_hooks/use-attempt.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";

type Push = Answer<typeof channelsApi.readPush>;

/** This browser: what it can do, and where pushes to it go. */
interface Here {
  state: PushState;
  endpoint: string | null;
}

export function PushCard() {
  const read = useEndpoint(channelsApi.readPush, {});
  const [here, setHere] = useState<Here | null>(null);
  const readHere = () =>
    void ownEndpoint()
      .catch(() => null)
      .then((endpoint) => setHere({ state: pushState(), endpoint }));
  useEffect(readHere, []);
  const own = read.data?.subscriptions.find(({ endpoint }) => endpoint === here?.endpoint);
  return (
    <Card title="Notifications in this browser" aside={own && <Badge tone="gain">On here</Badge>}>
      {read.failure !== null && (
        <FailureNote text="Failed to load the browsers" detail={read.failure.message} onRetry={read.retry} />
      )}
      {(read.isLoading || here === null) && read.failure === null && <Skeleton className="h-24" />}
      {read.data !== undefined && here !== null && <Browsers push={read.data} here={here} onChange={readHere} />}
    </Card>
  );
}

/** Why this browser cannot be switched on; null where it can. */
function obstacleIn({ publicKey, subscriptions }: Push, { state }: Here): string | null {
  if (publicKey === null) return "This installation sends no notifications to browsers.";
  if (state === "unsupported")
    return "This browser cannot show notifications. On an iPhone or iPad, add Tradewind to the home screen first.";
  if (state === "blocked")
    return "Notifications of this site are blocked in this browser. Allow them in the browser's settings of this site, then load the page again.";
  return subscriptions.length >= CHANNEL_BOUNDS.pushSubscriptions
    ? `Notifications are on in ${subscriptions.length} browsers, which is the maximum. Switch one off to add another.`
    : null;
}

function Browsers({ push, here, onChange }: { push: Push; here: Here; onChange: () => void }) {
  const client = useQueryClient();
  const { run, isBusy, failure } = useAttempt();
  const { publicKey, subscriptions } = push;
  const own = subscriptions.find(({ endpoint }) => endpoint === here.endpoint);
  const obstacle = own ? null : obstacleIn(push, here);
  const text = useRef<HTMLParagraphElement>(null);
  const change = async (work: () => Promise<unknown>) => {
    const isDone = await run(async () => {
      try {
        await work();
      } finally {
        await client.invalidateQueries({ queryKey: [channelsApi.readPush.path] });
        onChange();
      }
    });
    // The button that had the focus is gone.
    if (isDone) text.current?.focus();
  };
  const switchOn = async () => call(channelsApi.subscribePush, await subscribeHere(publicKey ?? ""));
  const switchOff = async (id: string) => {
    await call(channelsApi.unsubscribePush, { id });
    if (id === own?.id) await unsubscribeHere();
  };
  return (
    <div className="flex flex-col items-start gap-3">
      <p ref={text} tabIndex={-1}>
        {own
          ? "This browser shows your notifications, also while Tradewind is closed."
          : subscriptions.length > 0
            ? "Off here. Other browsers show your notifications."
            : "Off. A browser can show your notifications while Tradewind is closed."}
      </p>
      {failure !== null && (
        <Banner kind="failure" detail={failure.message}>
          Nothing was changed
        </Banner>
      )}
      {obstacle !== null && <p className="text-muted">{obstacle}</p>}
      {own === undefined && obstacle === null && (
        <Button disabled={isBusy} onClick={() => void change(switchOn)}>
          Switch on here
        </Button>
      )}
      {subscriptions.length > 0 && (
        <BrowserList
          subscriptions={subscriptions}
          ownId={own?.id}
          isBusy={isBusy}
          onSwitchOff={(id) => void change(() => switchOff(id))}
        />
      )}
    </div>
  );
}

interface BrowserListProps {
  subscriptions: Push["subscriptions"];
  ownId: string | undefined;
  isBusy: boolean;
  onSwitchOff: (id: string) => void;
}

function BrowserList({ subscriptions, ownId, isBusy, onSwitchOff }: BrowserListProps) {
  return (
    <ul aria-label="Browsers that show your notifications" className="w-full divide-y divide-line border-y border-line">
      {subscriptions.map(({ id, label, createdAt, lastUsedAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-3">
          <div className="min-w-0 flex-1 basis-48">
            <p className="font-medium wrap-anywhere">
              {label}
              {id === ownId && " (this browser)"}
            </p>
            <p className="text-muted">
              Since <Time at={createdAt} />
            </p>
            <p className="text-muted">
              {lastUsedAt === null ? "Nothing sent yet" : <>Last sent {<Time at={lastUsedAt} />}</>}
            </p>
          </div>
          <Button tone="quiet" aria-label={`Switch off in ${label}`} disabled={isBusy} onClick={() => onSwitchOff(id)}>
            Switch off
          </Button>
        </li>
      ))}
    </ul>
  );
}
