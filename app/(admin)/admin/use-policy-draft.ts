"use client";
import { useState, type FormEvent } from "react";
import { policyApi } from "@/lib/contracts/policy.ts";
import { POLICY_FIELDS, type PolicyField } from "@/lib/domain/policy.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { pathOf } from "./policy-sections.tsx";
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

/**
 * The draft as it stood at the first keystroke, for as long as something is typed: a save is a change of that revision, so that
 * what another administrator saved since is never overwritten unseen.
 */
function useHeldVersion(version: Version, isTyping: boolean) {
  const [held, setHeld] = useState<Version | null>(null);
  const [isRefused, setRefused] = useState(false);
  const base = held ?? version;
  if (isTyping !== (held !== null)) {
    setHeld(isTyping ? version : null);
    setRefused(false);
  }
  // What was refused applies, once it is sent again, on top of what the other administrator saved.
  if (isTyping && isRefused && version.revision !== base.revision) {
    setHeld(version);
    setRefused(false);
  }
  return { base, hold: setHeld, giveUp: () => setRefused(true) };
}

/** What was typed into a draft, and the way to save it. `onStale`: another administrator edited the draft meanwhile. */
export function usePolicyDraft(version: Version, onStale: () => void) {
  const [typed, setTyped] = useState<Typed>({});
  const [note, setNote] = useState<string | null>(null);
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({});
  const section = useUrlValues({ section: "" });
  const save = useAction(policyApi.editDraft, {
    refreshes: [policyApi.version, policyApi.versions, policyApi.diff],
  });
  const { base, ...held } = useHeldVersion(version, note !== null || Object.keys(typed).length > 0);
  const edited = POLICY_FIELDS.filter((field) => {
    const text = typed[pathOf(field)];
    return text !== undefined && text !== savedText(base, field);
  });
  const isNoteEdited = note !== null && note.trim() !== (base.note ?? "");

  // What is typed while the draft is being saved counts against what is saved then.
  const isBack = (text: string, saved: string) => text === saved && !save.isBusy;
  const type = (field: PolicyField, text: string) =>
    setTyped(({ [pathOf(field)]: _, ...others }) =>
      isBack(text, savedText(base, field)) ? others : { ...others, [pathOf(field)]: text },
    );
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
      { version: base.version, revision: base.revision, fields, ...(isNoteEdited ? { note: note.trim() } : {}) },
      {
        // What was typed while it was saved stays unsaved.
        onSuccess: (saved) => {
          held.hold(saved);
          setTyped((now) => Object.fromEntries(Object.entries(now).filter(([path, text]) => typed[path] !== text)));
          setNote((now) => (now === note ? null : now));
        },
        onFailure: ({ status, issues: found }) => {
          if (status === 409) {
            held.giveUp();
            onStale();
          }
          show(Object.fromEntries(found.map(({ path, message }) => [path.replace(/^fields\./, ""), message])));
        },
      },
    );
  }

  return {
    /** What is typed upon. */
    base,
    edited,
    isUnsaved: edited.length > 0 || isNoteEdited,
    textOf: (field: PolicyField) => typed[pathOf(field)] ?? savedText(base, field),
    type,
    issueOf: (field: PolicyField) => issues[pathOf(field)],
    note: note ?? base.note ?? "",
    setNote: (text: string) => setNote(isBack(text, base.note ?? "") ? null : text),
    submit,
    discard: () => {
      setTyped({});
      setNote(null);
      setIssues({});
    },
    isBusy: save.isBusy,
    failure: save.failure,
  };
}
