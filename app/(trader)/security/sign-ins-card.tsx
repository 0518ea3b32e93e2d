"use client";
import { useRef, useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { securityApi } from "@/lib/contracts/security.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";

type SignIn = Answer<typeof securityApi.signIns>[number];

/** True to the minute on the server: asking more often shows nothing new. */
const POLL_MS = 60_000;

export function SignInsCard() {
  const signIns = useEndpoint(securityApi.signIns, {}, { pollMs: POLL_MS });
  const [isEndingOthers, setEndingOthers] = useState(false);
  const [note, setNote] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const others = (signIns.data ?? []).filter(({ isThisOne }) => !isThisOne);
  return (
    <Card title="Where you are signed in">
      <div className="flex flex-col items-start gap-3">
        {signIns.failure !== null && (
          <FailureNote text="Failed to load your sign-ins" detail={signIns.failure.message} onRetry={signIns.retry} />
        )}
        {signIns.isLoading && <Skeleton className="h-40 w-full" />}
        {note !== null && <Banner kind="success">{note}</Banner>}
        {signIns.data !== undefined && (
          <>
            <p>If you do not recognize one of them, sign it out and change your password.</p>
            <ul
              ref={list}
              tabIndex={-1}
              aria-label="Your sign-ins"
              className="w-full divide-y divide-line border-y border-line"
            >
              {signIns.data.map((signIn) => (
                <SignInRow
                  key={signIn.id}
                  signIn={signIn}
                  onEnded={() => {
                    setNote("Signed out.");
                    // The button that had the focus is gone with its row.
                    list.current?.focus();
                  }}
                />
              ))}
            </ul>
            {others.length === 0 ? (
              <p className="text-muted">You are signed in on this device alone.</p>
            ) : (
              <Button tone="secondary" onClick={() => setEndingOthers(true)}>
                Sign out all other devices
              </Button>
            )}
          </>
        )}
      </div>
      {isEndingOthers && (
        <EndOthers
          onClose={() => setEndingOthers(false)}
          onEnded={(count) => {
            setEndingOthers(false);
            setNote(`Signed out ${count} other ${count === 1 ? "device" : "devices"}.`);
          }}
        />
      )}
    </Card>
  );
}

function SignInRow({ signIn, onEnded }: { signIn: SignIn; onEnded: () => void }) {
  const { id, device, ipAddress, createdAt, lastSeenAt, isThisOne } = signIn;
  const ending = useAction(securityApi.endSignIn, { refreshes: [securityApi.signIns] });
  const name = device ?? "Unknown device";
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {name}
          {isThisOne && <Badge tone="accent">This device</Badge>}
        </p>
        <p className="text-muted">
          {ipAddress === null ? "Address not known" : ipAddress} · last used <Time at={lastSeenAt} />
        </p>
        <p className="text-muted">
          Signed in <Time at={createdAt} />
        </p>
        {ending.failure !== null && (
          <p role="alert" className="text-loss">
            {ending.failure.message}
          </p>
        )}
      </div>
      {!isThisOne && (
        <Button
          tone="quiet"
          aria-label={`Sign out ${name}`}
          disabled={ending.isBusy}
          onClick={() => ending.run({ id }, { onSuccess: onEnded })}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

function EndOthers({ onClose, onEnded }: { onClose: () => void; onEnded: (count: number) => void }) {
  const ending = useAction(securityApi.endOtherSignIns, { refreshes: [securityApi.signIns] });
  return (
    <ConfirmDialog
      title="Sign out all other devices?"
      description="All your other sign-ins end at once. Access tokens stay valid until they expire or you revoke them."
      action={ending.isBusy ? "One moment..." : "Sign out"}
      isBusy={ending.isBusy}
      failure={ending.failure}
      onConfirm={() => ending.run({}, { onSuccess: ({ ended }) => onEnded(ended) })}
      onClose={onClose}
    />
  );
}
