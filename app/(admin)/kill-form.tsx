"use client";
import { useState, type FormEvent } from "react";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import { KILL_STATES } from "@/lib/domain/enums.ts";
import { useAction } from "../_hooks/use-action.ts";
import { Banner } from "../_ui/banner.tsx";
import { DialogButtons } from "../_ui/dialog-buttons.tsx";
import { SelectField, TextField } from "../_ui/field.tsx";

type Change = Sent<typeof killSwitchApi.set>;
type State = Change["state"];

export interface KillTarget {
  scope: Change["scope"];
  /** "Every account", "ada@example.com" */
  label: string;
  /** The state that is in force now. */
  inForce: State;
}

const STATES: { value: State; label: string }[] = [
  { value: "NO_NEW_ENTRIES", label: "No new positions" },
  { value: "REDUCE_ONLY", label: "Only reduce positions" },
  { value: "FLATTEN", label: "Sell every position" },
  { value: "NONE", label: "Trade again" },
];
const PHRASES: Record<State, string> = {
  NO_NEW_ENTRIES: "STOP",
  REDUCE_ONLY: "STOP",
  FLATTEN: "FLATTEN",
  NONE: "RESUME",
};

interface KillFormProps {
  /** Null while it is not known what to stop. */
  target: KillTarget | null;
  onCancel: () => void;
  onDone: () => void;
}

/** State, reason and the typed word. What is freer than what holds needs a reason. */
export function KillForm({ target, onCancel, onDone }: KillFormProps) {
  const isStopped = target !== null && target.inForce !== "NONE";
  const options = STATES.filter(({ value }) =>
    target?.scope.kind === "symbol"
      ? value === (isStopped ? "NONE" : "REDUCE_ONLY")
      : isStopped
        ? value !== target.inForce
        : value !== "NONE",
  );
  const [picked, setPicked] = useState<State | null>(null);
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const set = useAction(killSwitchApi.set, { refreshes: [killSwitchApi.read, adminUsersApi.read] });
  const state =
    options.find(({ value }) => value === (picked ?? (isStopped ? "NONE" : null)))?.value ?? options[0]!.value;
  const needsReason = isStopped && KILL_STATES.indexOf(state) < KILL_STATES.indexOf(target.inForce);
  const isReady = target !== null && typed.trim() === PHRASES[state] && (!needsReason || reason.trim() !== "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || set.isBusy) return;
    const given = reason.trim();
    set.run(
      { scope: target.scope, state, ...(given === "" ? {} : { reason: given }) },
      {
        onSuccess: () => {
          setTyped("");
          setReason("");
          onDone();
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {isStopped && <p className="text-sm font-medium wrap-anywhere">Change the kill switch of {target.label}</p>}
      <SelectField
        label="New state"
        value={state}
        onChange={(event) => setPicked(event.target.value as State)}
        options={options}
      />
      <TextField
        label={needsReason ? "Reason" : "Reason (optional)"}
        value={reason}
        maxLength={300}
        onChange={(event) => setReason(event.target.value)}
      />
      <TextField
        label={`Type ${PHRASES[state]} to confirm`}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      {set.failure && (
        <Banner kind="failure" detail={set.failure.message}>
          The kill switch was not changed
        </Banner>
      )}
      <DialogButtons
        onCancel={onCancel}
        action={set.isBusy ? "Working..." : state === "NONE" ? "Resume trading" : "Stop now"}
        isDisabled={!isReady || set.isBusy}
      />
    </form>
  );
}
