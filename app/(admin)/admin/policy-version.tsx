"use client";
import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { policyApi } from "@/lib/contracts/policy.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { ReadFailure } from "../../_ui/read-failure.tsx";
import { SkeletonCard } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";
import { PolicyActivation } from "./policy-activation.tsx";
import { PolicyDiff } from "./policy-diff.tsx";
import { PolicyForm } from "./policy-form.tsx";
import { authorOf, VersionBadge } from "./policy-history.tsx";
import { PolicySections } from "./policy-sections.tsx";
import { PolicyWhatIf } from "./policy-what-if.tsx";

export type Version = Answer<typeof policyApi.version>;

/** While a what-if runs its progress is asked for. */
const RUN_POLL_MS = 2_000;
const OPEN = ["QUEUED", "RUNNING"];

interface PolicyVersionProps {
  version: string;
  onOpen: (version: string) => void;
  onClose: () => void;
}

/** One version: what it changes, its form while it is a draft, what it would have done, and the way into force. */
export function PolicyVersion({ version, onOpen, onClose }: PolicyVersionProps) {
  const [isRunning, setRunning] = useState(false);
  const read = useEndpoint(policyApi.version, { version }, isRunning ? { pollMs: RUN_POLL_MS } : {});
  const { data, failure } = read;
  const isOpen = data !== undefined && OPEN.includes(data.whatIf?.status ?? "");
  if (isOpen !== isRunning) setRunning(isOpen);
  return (
    <div className="flex flex-col gap-5">
      <TextButton onClick={onClose} className="gap-1 self-start">
        <ChevronLeft aria-hidden className="size-4" />
        All versions
      </TextButton>
      <ReadFailure
        noun="policy version"
        absence="It may have been deleted as a draft."
        failure={failure}
        onRetry={read.retry}
      />
      {data === undefined && failure === null && <SkeletonCard className="h-64" />}
      {data !== undefined && (
        <>
          <VersionHead version={data} onStale={read.retry} onOpen={onOpen} onClose={onClose} />
          <PolicyDiff version={data} />
          {data.status === "DRAFT" ? (
            <PolicyForm version={data} onStale={read.retry} />
          ) : (
            <PolicySections policy={data.policy} />
          )}
          <PolicyWhatIf version={data} />
          {data.status !== "ACTIVE" && <PolicyActivation version={data} onStale={read.retry} />}
          <Activations version={data} />
        </>
      )}
    </div>
  );
}

interface VersionHeadProps extends Omit<PolicyVersionProps, "version"> {
  version: Version;
  onStale: () => void;
}

function VersionHead({ version: row, onStale, onOpen, onClose }: VersionHeadProps) {
  const create = useAction(policyApi.createDraft, { refreshes: [policyApi.versions] });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="text-lg font-semibold">Policy {row.version}</h2>
        <VersionBadge status={row.status} />
        <div className="ml-auto flex flex-wrap gap-3">
          <Button
            tone="secondary"
            disabled={create.isBusy}
            onClick={() => create.run({ from: row.version }, { onSuccess: ({ version }) => onOpen(version) })}
          >
            New draft from this version
          </Button>
          {row.status === "DRAFT" && <DeleteDraft version={row} onStale={onStale} onClose={onClose} />}
        </div>
      </div>
      {create.failure !== null && <Banner kind="failure">{create.failure.message}</Banner>}
      <p className="text-sm text-muted">
        Made <Time at={row.createdAt} /> by {authorOf(row)}
        {row.basedOn !== null && ` from ${row.basedOn}`}
        {row.updatedAt !== null && (
          <>
            , edited <Time at={row.updatedAt} /> by {row.updatedBy?.name ?? "a deleted user"}
          </>
        )}
        . Revision {row.revision}.
      </p>
      {row.note !== null && <p className="text-sm wrap-anywhere">{row.note}</p>}
    </div>
  );
}

interface DeleteDraftProps {
  version: Version;
  /** What was shown is no longer so. */
  onStale: () => void;
  onClose: () => void;
}

function DeleteDraft({ version: { version, revision }, onStale, onClose }: DeleteDraftProps) {
  /** The revision that stood there when it was asked for; null while nothing is asked. */
  const [asked, setAsked] = useState<number | null>(null);
  const remove = useAction(policyApi.deleteDraft, { refreshes: [policyApi.versions] });
  return (
    <>
      <Button tone="quiet" onClick={() => setAsked(revision)}>
        Delete draft
      </Button>
      <ConfirmDialog
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title={`Delete draft ${version}?`}
        description="Its fields and what-ifs go with it. The policy in force stays as it is."
        cancel="Keep it"
        action="Delete draft"
        isBusy={remove.isBusy}
        failure={remove.failure}
        onConfirm={() =>
          remove.run(
            { version, revision: asked ?? revision },
            { onSuccess: onClose, onFailure: ({ status }) => status === 409 && onStale() },
          )
        }
      />
    </>
  );
}

function Activations({ version: { activations } }: { version: Version }) {
  if (activations.length === 0) return null;
  return (
    <Card title="When it came into force">
      <ul className="flex flex-col gap-2 text-sm">
        {activations.map(({ at, by, requestedBy, replaced, note }) => (
          <li key={at} className="wrap-anywhere">
            <Time at={at} /> instead of {replaced}, by {by?.name ?? "a deleted user"}
            {requestedBy !== null && `, asked for by ${requestedBy.name}`}
            {note !== null && `: ${note}`}
          </li>
        ))}
      </ul>
    </Card>
  );
}
