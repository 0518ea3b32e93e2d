"use client";
import Link from "next/link";
import { useState } from "react";
import { ACCESS_TOKEN_BOUNDS, accessTokensApi } from "@/lib/contracts/access-tokens.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";
import { MakeAccessToken } from "./make-access-token.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";

type AccessToken = Answer<typeof accessTokensApi.list>[number];

export function AccessTokensCard() {
  const tokens = useEndpoint(accessTokensApi.list, {});
  const [isMaking, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const held = tokens.data ?? [];
  const isFull = held.length >= ACCESS_TOKEN_BOUNDS.live;
  return (
    <Card title="Access tokens">
      <div className="flex flex-col items-start gap-3">
        <p>
          Your own programs call the{" "}
          <Link prefetch={false} href="/api-reference" className="font-medium text-accent underline underline-offset-4">
            API
          </Link>{" "}
          with an access token instead of your password. A token gives no access to your sign-in settings, your keys or
          the console.
        </p>
        {tokens.failure !== null && (
          <FailureNote
            text="Failed to load your access tokens"
            detail={tokens.failure.message}
            onRetry={tokens.retry}
          />
        )}
        {tokens.isLoading && <Skeleton className="h-20 w-full" />}
        {held.length > 0 && (
          <ul aria-label="Your access tokens" className="w-full divide-y divide-line border-y border-line">
            {held.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </ul>
        )}
        {isFull && (
          <p className="text-muted">
            You have {held.length} access tokens, which is the maximum. Revoke one to make another.
          </p>
        )}
        {tokens.data !== undefined && !isFull && !isMaking && (
          <Button onClick={() => setMaking(true)}>Make an access token</Button>
        )}
        {isMaking && (
          <MakeAccessToken
            onCancel={() => setMaking(false)}
            onMade={(made) => {
              setMaking(false);
              setSecret(made);
            }}
          />
        )}
      </div>
      {secret !== null && <NewTokenDialog secret={secret} onSaved={() => setSecret(null)} />}
    </Card>
  );
}

const LastUse = ({ at }: { at: string }) => (
  <>
    Last used <Time at={at} />
  </>
);

function TokenRow({ token }: { token: AccessToken }) {
  const [isAsking, setAsking] = useState(false);
  const revoking = useAction(accessTokensApi.revoke, { refreshes: [accessTokensApi.list] });
  const { id, name, scope, lastFour, createdAt, expiresAt, lastUsedAt } = token;
  const close = () => {
    setAsking(false);
    revoking.reset();
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
          {name}
          <Badge tone={scope === "STEER" ? "warn" : "neutral"}>{scope === "STEER" ? "Read and control" : "Read"}</Badge>
        </p>
        <p className="text-muted">
          <code>twp_…{lastFour}</code> · made <Time at={createdAt} />
        </p>
        <p className="text-muted">
          {lastUsedAt === null ? "Not used yet" : <LastUse at={lastUsedAt} />} · expires <Time at={expiresAt} />
        </p>
      </div>
      <Button tone="quiet" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Revoke the access token “${name}”?`}
          description="Programs that use it are refused from their next call on."
          action={revoking.isBusy ? "One moment..." : "Revoke"}
          isBusy={revoking.isBusy}
          failure={revoking.failure}
          onConfirm={() => revoking.run({ id }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </li>
  );
}
