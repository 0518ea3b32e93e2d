"use client";
import { useState } from "react";
import { policyApi } from "@/lib/contracts/policy.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { TextField } from "../../_ui/field.tsx";
import { Time } from "../../_ui/time.tsx";
import { TypedDialog } from "../../_ui/typed-dialog.tsx";
import type { Version } from "./policy-version.tsx";

/** The way into force: what has to be done before, the typed version, and the second administrator where one is asked for. */
export function PolicyActivation({ version, onStale }: { version: Version; onStale: () => void }) {
  /** The version as it stood when its activation was asked for: what is confirmed is what was seen. */
  const [asked, setAsked] = useState<Version | null>(null);
  const isRollBack = version.status === "RETIRED";
  const { pending } = version;
  const waitsForOther = pending?.isOwn === true;
  return (
    <Card title={isRollBack ? "Roll back" : "Activation"}>
      <div className="flex flex-col items-start gap-3 text-sm">
        <p className="max-w-prose text-muted">
          {isRollBack
            ? `Puts ${version.version} in force again, as it was stored, instead of ${version.inForce}.`
            : `Puts ${version.version} in force instead of ${version.inForce}.`}{" "}
          Decisions use it from the next look at the market on.
          {version.needsSecond && " The policy in force asks for two administrators."}
        </p>
        {!version.isTried && (
          <p>
            Run a what-if of this draft first, in its current state: only a version that was tried can come into force.
          </p>
        )}
        {pending !== null && (
          <Banner
            kind="warning"
            detail={
              waitsForOther
                ? "Another administrator has to confirm it on this page."
                : "Compare the changes and confirm it, or do nothing."
            }
          >
            {waitsForOther ? "You asked" : `${pending.by?.name ?? "An administrator"} asked`} to put this version in
            force on <Time at={pending.at} />. It waits until <Time at={pending.expiresAt} />.
          </Banner>
        )}
        <Button tone="danger" disabled={!version.isTried || waitsForOther} onClick={() => setAsked(version)}>
          {actionOf(version)}
        </Button>
        {asked !== null && <ActivationDialog version={asked} onStale={onStale} onClose={() => setAsked(null)} />}
      </div>
    </Card>
  );
}

function actionOf({ status, pending, version }: Version): string {
  if (pending !== null && !pending.isOwn) return `Confirm ${version}`;
  return status === "RETIRED" ? `Roll back to ${version}` : `Activate ${version}`;
}

interface ActivationDialogProps {
  version: Version;
  /** What was shown is no longer so. */
  onStale: () => void;
  onClose: () => void;
}

function ActivationDialog({ version, onStale, onClose }: ActivationDialogProps) {
  const [note, setNote] = useState("");
  const activate = useAction(policyApi.activate, {
    refreshes: [policyApi.read, policyApi.version, policyApi.versions, policyApi.diff],
  });
  const count = version.changes.length;
  return (
    <TypedDialog
      isOpen
      onClose={onClose}
      title={`${actionOf(version)}?`}
      description={`${count} ${count === 1 ? "field changes" : "fields change"} against ${version.inForce}. The next decision of every account uses it; open orders stay as they are.`}
      phrase={version.version}
      action={actionOf(version)}
      isBusy={activate.isBusy}
      onConfirm={() =>
        activate.run(
          {
            version: version.version,
            revision: version.revision,
            replaces: version.inForce,
            confirm: version.version,
            ...(note.trim() === "" ? {} : { note: note.trim() }),
          },
          { onSuccess: onClose, onFailure: ({ status }) => status === 409 && onStale() },
        )
      }
    >
      {activate.failure !== null && <Banner kind="failure">{activate.failure.message}</Banner>}
      <TextField
        label="Note"
        hint="The reason, kept in the history and the audit trail."
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </TypedDialog>
  );
}
