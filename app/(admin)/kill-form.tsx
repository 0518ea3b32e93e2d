"use client";
import { useState, type FormEvent } from "react";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import { KILL_STATES } from "@/lib/domain/enums.ts";
import { useAction } from "../_hooks/use-action.ts";
import { Banner } from "../_ui/banner.tsx";
import { TextButton } from "../_ui/button.tsx";
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
  /** With what came of it, for people; a warning where nothing was changed. */
  onDone: (note: string, kind: "success" | "warning") => void;
}

/** What a person began to fill in: the state that they want, and the one that was in force as they began. */
interface Begun {
  of: string;
  state: State;
  inForce: State;
}

const labelOf = (state: State) => STATES.find(({ value }) => value === state)?.label ?? state;

/** The options beside what is wanted: all that is not in force; a symbol is stopped or it is not. */
const optionsOf = (target: KillTarget | null, wanted: State) =>
  STATES.filter(
    ({ value }) =>
      value === wanted ||
      (value !== (target?.inForce ?? "NONE") &&
        (target?.scope.kind !== "symbol" || value === "NONE" || value === "REDUCE_ONLY")),
  );

const firstOf = (target: KillTarget | null): State => {
  if (target !== null && target.inForce !== "NONE") return "NONE";
  return target?.scope.kind === "symbol" ? "REDUCE_ONLY" : "NO_NEW_ENTRIES";
};

/** What is wanted, and of which state in force: both stay as they were when the person began, until they start again. */
function useWanted(target: KillTarget | null) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const of = JSON.stringify(target?.scope ?? null);
  const kept = begun?.of === of ? begun : null;
  const state = kept?.state ?? firstOf(target);
  const inForce = target?.inForce ?? "NONE";
  const seen = kept?.inForce ?? inForce;
  return {
    state,
    inForce,
    seen,
    begin: (wanted = state) => setBegun({ of, state: wanted, inForce: seen }),
    startAgain: () => setBegun(null),
  };
}

/**
 * State, reason and the typed word. Where another administrator changes the switch meanwhile, what is stricter is sent all
 * the same, and what is freer only once the person has seen what is in force now.
 */
export function KillForm({ target, onCancel, onDone }: KillFormProps) {
  const { state, inForce, seen, begin, startAgain } = useWanted(target);
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const set = useAction(killSwitchApi.set, { refreshes: [killSwitchApi.read, adminUsersApi.read] });
  const isFreer = KILL_STATES.indexOf(state) < KILL_STATES.indexOf(inForce);
  const isOvertaken = seen !== inForce;
  const given = reason.trim();
  const isReady = target !== null && typed.trim() === PHRASES[state] && !(isFreer && (given === "" || isOvertaken));
  const clear = () => {
    startAgain();
    setTyped("");
    set.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || set.isBusy) return;
    set.run(
      { scope: target.scope, state, from: seen, ...(given === "" ? {} : { reason: given }) },
      {
        onSuccess: ({ isChanged }) => {
          clear();
          setReason("");
          if (isChanged) onDone("The kill switch was changed.", "success");
          else onDone(unchanged(state, given), "warning");
        },
      },
    );
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {inForce !== "NONE" && (
        <p className="text-sm font-medium wrap-anywhere">Change the kill switch of {target?.label}</p>
      )}
      <SelectField
        label="New state"
        value={state}
        onChange={(event) => begin(event.target.value as State)}
        options={optionsOf(target, state)}
      />
      <TextField
        label={isFreer ? "Reason" : "Reason (optional)"}
        value={reason}
        maxLength={300}
        onChange={(event) => {
          begin();
          setReason(event.target.value);
        }}
      />
      <TextField
        label={`Type ${PHRASES[state]} to confirm`}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          begin();
          setTyped(event.target.value);
        }}
      />
      <Trouble inForce={isOvertaken ? inForce : null} onReview={clear} failure={set.failure?.message} />
      <DialogButtons
        onCancel={onCancel}
        action={set.isBusy ? "Working..." : actionOf(state, isFreer)}
        isDisabled={!isReady || set.isBusy}
      />
    </form>
  );
}

const actionOf = (state: State, isFreer: boolean) =>
  state === "NONE" ? "Resume trading" : isFreer ? "Loosen the stop" : "Stop now";

const unchanged = (state: State, reason: string) =>
  `Nothing was changed: “${labelOf(state)}” was in force already.${reason === "" ? "" : " Your reason was not recorded."}`;

interface TroubleProps {
  /** The state that came into force while the form was filled in. */
  inForce: State | null;
  onReview: () => void;
  failure: string | undefined;
}

function Trouble({ inForce, onReview, failure }: TroubleProps) {
  return (
    <>
      {inForce !== null && (
        <Banner
          kind="warning"
          detail={inForce === "NONE" ? "Nothing is stopped here now." : `In force now: “${labelOf(inForce)}”.`}
          action={<TextButton onClick={onReview}>Start again</TextButton>}
        >
          The kill switch was changed while you filled this in
        </Banner>
      )}
      {failure !== undefined && (
        <Banner kind="failure" detail={failure}>
          The kill switch was not changed
        </Banner>
      )}
    </>
  );
}
