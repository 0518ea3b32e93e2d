"use client";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { Time } from "../../_ui/time.tsx";
import { FlagForm } from "./flag-form.tsx";

export type Flag = Answer<typeof flagsApi.list>[number];

/** Another administrator may switch one meanwhile. */
const POLL_MS = 10_000;

export function FlagsTab() {
  const flags = useEndpoint(flagsApi.list, {}, { pollMs: POLL_MS });
  const [isCreating, setCreating] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      {flags.failure !== null && (
        <FailureNote {...failureText(flags.failure, "Failed to load feature flags")} onRetry={flags.retry} />
      )}
      <Card
        title="Feature flags"
        aside={
          <span className="flex items-center gap-2">
            {flags.isStale && <Badge tone="warn">stale</Badge>}
            <Button tone="secondary" onClick={() => setCreating(true)}>
              <Plus aria-hidden className="size-4" />
              Create flag
            </Button>
          </span>
        }
      >
        {flags.isLoading && <SkeletonRows />}
        {flags.data?.length === 0 && (
          <Empty title="No feature flags" hint="Create one to switch something for everyone." />
        )}
        <ul className="divide-y divide-line">
          {(flags.data ?? []).map((flag) => (
            <FlagRow key={flag.id} flag={flag} />
          ))}
        </ul>
      </Card>
      {isCreating && <FlagForm onClose={() => setCreating(false)} />}
    </div>
  );
}

function FlagRow({ flag }: { flag: Flag }) {
  const toggle = useAction(flagsApi.save, { refreshes: [flagsApi.list, flagsApi.read] });
  const [isRemoving, setRemoving] = useState(false);
  return (
    <li className="flex flex-col gap-2 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={flag.environment === "production" ? "accent" : "neutral"}>{flag.environment}</Badge>
        {!flag.isInForce && <span className="text-xs text-muted">Not the environment of this installation</span>}
        {flag.isBuiltIn && <span className="text-xs text-muted">The product acts on it</span>}
        <span className="text-xs text-muted">
          created <Time at={flag.createdAt} />
        </span>
        {!flag.isBuiltIn && (
          <Button tone="quiet" className="ml-auto" aria-label={`Delete ${flag.name}`} onClick={() => setRemoving(true)}>
            <Trash2 aria-hidden className="size-4" />
            Delete
          </Button>
        )}
      </div>
      <SwitchField
        label={flag.name}
        {...(flag.description === "" ? {} : { hint: flag.description })}
        isOn={flag.enabled}
        isDisabled={toggle.isBusy}
        onChange={(enabled) => toggle.run({ id: flag.id, enabled })}
      />
      {toggle.failure !== null && (
        <FailureNote {...failureText(toggle.failure, "Failed to update feature flag")} onRetry={toggle.retry} />
      )}
      {isRemoving && <RemoveDialog flag={flag} onClose={() => setRemoving(false)} />}
    </li>
  );
}

function RemoveDialog({ flag, onClose }: { flag: Flag; onClose: () => void }) {
  const remove = useAction(flagsApi.remove, { refreshes: [flagsApi.list, flagsApi.read] });
  const run = () => remove.run({ id: flag.id }, { onSuccess: onClose });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${flag.name}?`}
      description="Pages that use this flag no longer find it. This action cannot be undone."
      action={remove.isBusy ? "Deleting..." : "Delete"}
      isBusy={remove.isBusy}
      onConfirm={run}
    >
      {remove.failure !== null && (
        <FailureNote {...failureText(remove.failure, "Failed to delete feature flag")} onRetry={run} />
      )}
    </ConfirmDialog>
  );
}
