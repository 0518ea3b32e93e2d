"use client";
import { POLICY_FIELDS, type PolicyField, type PolicySection } from "@/lib/domain/policy.ts";
import { policyBoundsText, policyFieldTitle, policyValueText } from "@/lib/domain/policy-text.ts";
import { useLeaveGuard } from "../../_hooks/use-leave-guard.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../_ui/field.tsx";
import { LeaveDialog } from "../../_ui/leave-dialog.tsx";
import { pathOf, SectionTabs } from "./policy-sections.tsx";
import type { Version } from "./policy-version.tsx";
import { usePolicyDraft } from "./use-policy-draft.ts";

/** The fields of a draft. A draft that another administrator edited meanwhile is read again; what was typed here stays in the form. */
export function PolicyForm({ version, onStale }: { version: Version; onStale: () => void }) {
  const draft = usePolicyDraft(version, onStale);
  const { edited, isUnsaved, failure } = draft;
  const guard = useLeaveGuard(isUnsaved);
  return (
    <form onSubmit={draft.submit} aria-label={`Draft ${version.version}`} className="flex flex-col gap-4">
      <SectionTabs
        noteOf={(name) => editedNote(edited, name)}
        content={(name) => (
          <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 xl:grid-cols-3">
            {POLICY_FIELDS.filter((field) => field.section === name).map((field) => (
              <FieldInput
                key={pathOf(field)}
                field={field}
                version={draft.base}
                text={draft.textOf(field)}
                isEdited={edited.includes(field)}
                issue={draft.issueOf(field)}
                onType={(text) => draft.type(field, text)}
              />
            ))}
          </div>
        )}
      />
      <TextArea
        label="Note"
        hint="The reason for this draft, kept with the version."
        rows={2}
        maxLength={500}
        value={draft.note}
        onChange={(event) => draft.setNote(event.target.value)}
      />
      {failure !== null && (
        <Banner
          kind="failure"
          detail={
            failure.status === 409 ? "What you typed is still in the form. Save again to apply it on top." : undefined
          }
        >
          {failure.message}
        </Banner>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={!isUnsaved || draft.isBusy}>
          {draft.isBusy ? "Saving..." : "Save draft"}
        </Button>
        {isUnsaved && (
          <Button tone="secondary" onClick={draft.discard}>
            Discard changes
          </Button>
        )}
        <p className="text-sm text-muted" aria-live="polite">
          {isUnsaved ? unsavedText(edited.length) : "All changes are saved."}
        </p>
      </div>
      <LeaveDialog isOpen={guard.isAsking} onStay={guard.stay} onLeave={guard.leave} />
    </form>
  );
}

const unsavedText = (fields: number) =>
  `${fields === 0 ? "Note" : `${fields} ${fields === 1 ? "field" : "fields"}`} changed, not saved`;

function editedNote(edited: readonly PolicyField[], section: PolicySection): string {
  const count = edited.filter((field) => field.section === section).length;
  return count === 0 ? "" : ` (${count})`;
}

interface FieldInputProps {
  field: PolicyField;
  version: Version;
  text: string;
  isEdited: boolean;
  issue: string | undefined;
  onType: (text: string) => void;
}

function FieldInput({ field, version, text, isEdited, issue, onType }: FieldInputProps) {
  const change = version.changes.find(({ path }) => path === pathOf(field));
  const hint = `${field.description}. ${policyBoundsText(field)}${field.unit === "switch" || field.unit === "USD" ? "" : ` ${field.unit}`}.`;
  const common = { label: policyFieldTitle(field.key), hint, error: issue, value: text };
  return (
    <div className={isEdited || change ? "rounded-lg bg-accent-soft p-3" : "p-3"}>
      {field.unit === "switch" ? (
        <SelectField
          {...common}
          options={[
            { value: "0", label: "Off" },
            { value: "1", label: "On" },
          ]}
          onChange={(event) => onType(event.target.value)}
        />
      ) : (
        <TextField
          {...common}
          inputMode="decimal"
          autoComplete="off"
          onChange={(event) => onType(event.target.value)}
        />
      )}
      {(isEdited || change !== undefined) && (
        <p className="mt-1.5 flex flex-wrap items-center gap-2 text-xs">
          <Badge tone="accent">{isEdited ? "Changed, not saved" : "Changed"}</Badge>
          {change !== undefined && (
            <span className="text-muted">in force: {policyValueText(change.from, field.unit)}</span>
          )}
        </p>
      )}
    </div>
  );
}
