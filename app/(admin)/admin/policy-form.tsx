"use client";
import { useState, type FormEvent } from "react";
import { policyApi } from "@/lib/contracts/policy.ts";
import { POLICY_FIELDS, type PolicyField, type PolicySection } from "@/lib/domain/policy.ts";
import { policyBoundsText, policyFieldTitle, policyValueText } from "@/lib/domain/policy-words.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useLeaveGuard } from "../../_hooks/use-leave-guard.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../_ui/field.tsx";
import { LeaveDialog } from "../../_ui/leave-dialog.tsx";
import { pathOf, SectionTabs } from "./policy-sections.tsx";
import type { Version } from "./policy-version.tsx";

/** What was typed and is not saved, by the field's path: text, so that what is half typed stays. */
type Typed = Readonly<Record<string, string>>;

const savedText = (version: Version, field: PolicyField) => String(version.policy[field.section][field.key] ?? "");
const numberOf = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** What is wrong with a value before it is sent; the server has the last word. */
function issueOf({ min, max, unit, isWhole }: PolicyField, text: string): string | undefined {
  const value = numberOf(text);
  if (!Number.isFinite(value)) return "must be a number";
  if (value < min || value > max) return `must lie between ${min} and ${max} ${unit}`;
  return isWhole && !Number.isInteger(value) ? "must be a whole number" : undefined;
}

/** The fields of a draft. A draft that another administrator edited meanwhile is read again; what was typed here stays in the form. */
export function PolicyForm({ version, onStale }: { version: Version; onStale: () => void }) {
  const [typed, setTyped] = useState<Typed>({});
  const [note, setNote] = useState<string | null>(null);
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({});
  const section = useUrlValues({ section: "" });
  const save = useAction(policyApi.editDraft, {
    refreshes: [policyApi.version, policyApi.versions, policyApi.diff],
  });
  const edited = POLICY_FIELDS.filter((field) => {
    const text = typed[pathOf(field)];
    return text !== undefined && text !== savedText(version, field);
  });
  const isNoteEdited = note !== null && note.trim() !== (version.note ?? "");
  const isUnsaved = edited.length > 0 || isNoteEdited;
  const guard = useLeaveGuard(isUnsaved);

  function show(found: Readonly<Record<string, string>>) {
    setIssues(found);
    const first = POLICY_FIELDS.find((field) => found[pathOf(field)] !== undefined);
    if (first) section.change({ section: first.section });
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = edited.flatMap((field) => {
      const issue = issueOf(field, typed[pathOf(field)] ?? "");
      return issue === undefined ? [] : [[pathOf(field), issue] as const];
    });
    show(Object.fromEntries(wrong));
    if (wrong.length > 0) return;
    const fields = Object.fromEntries(edited.map((field) => [pathOf(field), numberOf(typed[pathOf(field)] ?? "")]));
    save.run(
      { version: version.version, revision: version.revision, fields, ...(isNoteEdited ? { note: note.trim() } : {}) },
      {
        // What was typed while it was saved stays unsaved.
        onSuccess: () => {
          setTyped((now) => Object.fromEntries(Object.entries(now).filter(([path, text]) => typed[path] !== text)));
          setNote((now) => (now === note ? null : now));
        },
        onFailure: ({ status, issues: found }) => {
          if (status === 409) onStale();
          show(Object.fromEntries(found.map(({ path, message }) => [path.replace(/^fields\./, ""), message])));
        },
      },
    );
  }

  return (
    <form onSubmit={submit} aria-label={`Draft ${version.version}`} className="flex flex-col gap-4">
      <SectionTabs
        noteOf={(name) => editedNote(edited, name)}
        content={(name) => (
          <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 xl:grid-cols-3">
            {POLICY_FIELDS.filter((field) => field.section === name).map((field) => (
              <FieldInput
                key={pathOf(field)}
                field={field}
                version={version}
                text={typed[pathOf(field)] ?? savedText(version, field)}
                isEdited={edited.includes(field)}
                issue={issues[pathOf(field)]}
                onType={(text) => setTyped((now) => ({ ...now, [pathOf(field)]: text }))}
              />
            ))}
          </div>
        )}
      />
      <TextArea
        label="Note"
        hint="Why this draft: it stays with the version."
        rows={2}
        maxLength={500}
        value={note ?? version.note ?? ""}
        onChange={(event) => setNote(event.target.value)}
      />
      {save.failure !== null && (
        <Banner
          kind="failure"
          detail={
            save.failure.status === 409
              ? "What you typed is still in the form. Save again to set it on top."
              : undefined
          }
        >
          {save.failure.message}
        </Banner>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" disabled={!isUnsaved || save.isBusy}>
          {save.isBusy ? "Saving…" : "Save draft"}
        </Button>
        {isUnsaved && (
          <Button
            tone="secondary"
            onClick={() => {
              setTyped({});
              setNote(null);
              setIssues({});
            }}
          >
            Discard changes
          </Button>
        )}
        <p className="text-sm text-muted" aria-live="polite">
          {isUnsaved
            ? `${edited.length} ${edited.length === 1 ? "field" : "fields"} changed, not saved`
            : "All changes are saved."}
        </p>
      </div>
      <LeaveDialog isOpen={guard.isAsking} onStay={guard.stay} onLeave={guard.leave} />
    </form>
  );
}

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
