"use client";
import { useState, type FormEvent } from "react";
import { channelsApi } from "@/lib/contracts/channels.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { CopyButton } from "../../_ui/copy-button.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { TextField } from "../../_ui/field.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";

type Webhook = NonNullable<Answer<typeof channelsApi.readWebhook>["webhook"]>;

const REFRESHES = [channelsApi.readWebhook, channelsApi.deliveries];

export function WebhookCard() {
  const read = useEndpoint(channelsApi.readWebhook, {});
  const [secret, setSecret] = useState<string | null>(null);
  const webhook = read.data?.webhook;
  return (
    <Card title="Webhook" aside={webhook && <State webhook={webhook} />}>
      {read.failure !== null && (
        <FailureNote text="Failed to load the webhook" detail={read.failure.message} onRetry={read.retry} />
      )}
      {read.isLoading && <Skeleton className="h-40" />}
      {webhook !== undefined && (
        <div className="flex flex-col gap-4">
          <p>
            Each notification is posted as JSON to your address, signed so that the receiver can verify that it comes
            from Tradewind (Standard Webhooks). When an answer is lost, a notification is sent again under the same id:
            the receiver should ignore ids that it has already seen.
          </p>
          {webhook && <Facts webhook={webhook} />}
          {secret !== null && <Secret secret={secret} onClose={() => setSecret(null)} />}
          <AddressForm key={webhook?.url} webhook={webhook} onSecret={setSecret} />
          {webhook && <Actions webhook={webhook} onSecret={setSecret} />}
        </div>
      )}
    </Card>
  );
}

function State({ webhook: { disabledAt, failingSince } }: { webhook: Webhook }) {
  if (disabledAt !== null) return <Badge tone="loss">Switched off</Badge>;
  return failingSince === null ? <Badge tone="gain">On</Badge> : <Badge tone="warn">Failing</Badge>;
}

function Facts({ webhook: { disabledAt, disabledReason, failingSince, oldSecretUntil } }: { webhook: Webhook }) {
  return (
    <>
      {disabledAt !== null && (
        <Banner kind="failure" detail={`Switched off: ${disabledReason}. Save the address again to switch it on.`}>
          Nothing is posted to your webhook
        </Banner>
      )}
      {disabledAt === null && failingSince !== null && (
        <Banner kind="warning" detail="After three days without success it is switched off.">
          Failing since <Time at={failingSince} />
        </Banner>
      )}
      {oldSecretUntil !== null && (
        <p className="text-muted">
          Notifications are also signed with the old secret until <Time at={oldSecretUntil} />.
        </p>
      )}
    </>
  );
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <div className="flex flex-col items-start gap-3 rounded-lg border border-line bg-sunken p-4">
      <p className="font-medium">The signing secret, shown only once</p>
      <code className="wrap-anywhere">{secret}</code>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={secret}>Copy secret</CopyButton>
        <Button tone="quiet" onClick={onClose}>
          I have stored it
        </Button>
      </div>
    </div>
  );
}

interface PartProps {
  webhook: Webhook | null;
  onSecret: (secret: string | null) => void;
}

function AddressForm({ webhook, onSecret }: PartProps) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const saving = useAction(channelsApi.setWebhook, { refreshes: REFRESHES });
  const issue = saving.failure?.issues.find(({ path }) => path === "url")?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.run({ url }, { onSuccess: ({ secret }) => secret !== null && onSecret(secret) });
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      {saving.failure !== null && issue === undefined && (
        <Banner kind="failure" detail={saving.failure.message}>
          The webhook was not saved
        </Banner>
      )}
      <TextField
        label="Address"
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
        placeholder="https://"
        hint="A public server with https, on port 443 or 8443."
        value={url}
        error={issue}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Button type="submit" disabled={saving.isBusy || url.trim() === ""} className="self-start">
        {saving.isBusy ? "Saving..." : webhook ? "Save address" : "Set up webhook"}
      </Button>
    </form>
  );
}

function Actions({ webhook, onSecret }: { webhook: Webhook; onSecret: (secret: string | null) => void }) {
  const [isRemoving, setRemoving] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const test = useAction(channelsApi.testWebhook, { refreshes: [channelsApi.deliveries] });
  const rotation = useAction(channelsApi.rotateSecret, { refreshes: REFRESHES });
  const removal = useAction(channelsApi.removeWebhook, { refreshes: REFRESHES });
  const failure = test.failure ?? rotation.failure;
  const forget = () => {
    setAsked(false);
    test.reset();
    rotation.reset();
  };
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      {failure !== null && <Banner kind="failure">{failure.message}</Banner>}
      {isAsked && <Banner kind="success">A test was sent: see the deliveries below.</Banner>}
      <div className="flex flex-wrap gap-3">
        <Button
          tone="secondary"
          disabled={test.isBusy || webhook.disabledAt !== null}
          onClick={() => {
            forget();
            test.run({}, { onSuccess: () => setAsked(true) });
          }}
        >
          Send a test
        </Button>
        <Button
          tone="secondary"
          disabled={rotation.isBusy}
          onClick={() => {
            forget();
            rotation.run({}, { onSuccess: ({ secret }) => onSecret(secret) });
          }}
        >
          New secret
        </Button>
        <Button tone="quiet" onClick={() => setRemoving(true)}>
          Remove webhook
        </Button>
      </div>
      {isRemoving && (
        <ConfirmDialog
          onClose={() => setRemoving(false)}
          title="Remove the webhook?"
          description="No more notifications are posted, and those that have not arrived are dropped. A webhook set up later gets a new secret."
          action="Remove"
          isBusy={removal.isBusy}
          failure={removal.failure}
          onConfirm={() =>
            removal.run(
              {},
              {
                onSuccess: () => {
                  setRemoving(false);
                  onSecret(null);
                },
              },
            )
          }
        />
      )}
    </div>
  );
}
