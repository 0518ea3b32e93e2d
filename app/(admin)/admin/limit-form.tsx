"use client";
import { useState, type FormEvent } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { DialogButtons } from "../../_ui/dialog-buttons.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { FailureBanner } from "../../_ui/failure-note.tsx";
import { TextArea, TextField } from "../../_ui/field.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import type { Limit } from "./limits-tab.tsx";

const MINUTE_MS = 60_000;

/** As the fields hold it. */
interface Entered extends Pick<Limit, "name" | "description" | "skipSuccessfulRequests" | "skipFailedRequests"> {
  minutes: string;
  maxRequests: string;
}

const entriesOf = (limit: Limit | null): Entered => ({
  name: limit?.name ?? "",
  description: limit?.description ?? "",
  minutes: String((limit?.windowMs ?? 900_000) / MINUTE_MS),
  maxRequests: String(limit?.maxRequests ?? 100),
  skipSuccessfulRequests: limit?.skipSuccessfulRequests ?? false,
  skipFailedRequests: limit?.skipFailedRequests ?? false,
});

type Settings = Omit<Entered, "name" | "minutes" | "maxRequests"> & Pick<Limit, "windowMs" | "maxRequests">;

/** What the person changed; the rest stays as another administrator may have set it meanwhile. */
const changesOf = (opened: Limit, entered: Settings): Partial<Settings> =>
  Object.fromEntries(Object.entries(entered).filter(([name, value]) => opened[name as keyof Settings] !== value));

/** A new limit, or the values of one as it was when the form opened: its name stays, because route groups are bound by it. */
export function LimitForm({ limit, onClose }: { limit: Limit | null; onClose: () => void }) {
  const save = useAction(rateLimitsApi.save, { refreshes: [rateLimitsApi.list] });
  const [entered, setEntered] = useState(() => entriesOf(limit));
  const issueOf = (path: string) => save.failure?.issues.find((issue) => issue.path === path)?.message;
  const isNamed = entered.name.trim() !== "";
  const fallback =
    limit === null ? "Failed to create rate limit configuration" : "Failed to update rate limit configuration";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isNamed || save.isBusy) return;
    const { name, minutes, maxRequests, ...rest } = entered;
    const settings = { ...rest, windowMs: Math.round(Number(minutes) * MINUTE_MS), maxRequests: Number(maxRequests) };
    if (limit === null) return save.run({ name, ...settings }, { onSuccess: onClose });
    const changes = changesOf(limit, settings);
    if (Object.keys(changes).length === 0) return onClose();
    save.run({ id: limit.id, ...changes }, { onSuccess: onClose });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={limit === null ? "Create a rate limit" : `Edit ${limit.name}`}
      description="A name that is not a route group of the product is stored but has no effect."
    >
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {save.failure !== null && save.failure.issues.length === 0 && (
          <FailureBanner {...failureText(save.failure, fallback)} />
        )}
        <LimitFields
          entered={entered}
          isNew={limit === null}
          issueOf={issueOf}
          onEnter={(change) => setEntered((before) => ({ ...before, ...change }))}
        />
        <DialogButtons
          onCancel={onClose}
          action={save.isBusy ? "Saving..." : limit === null ? "Create" : "Save"}
          tone="primary"
          isDisabled={!isNamed || save.isBusy}
        />
      </form>
    </Dialog>
  );
}

interface LimitFieldsProps {
  entered: Entered;
  isNew: boolean;
  issueOf: (path: string) => string | undefined;
  onEnter: (change: Partial<Entered>) => void;
}

function LimitFields({ entered, isNew, issueOf, onEnter }: LimitFieldsProps) {
  return (
    <>
      {isNew && (
        <TextField
          label="Name"
          value={entered.name}
          error={issueOf("name")}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onEnter({ name: event.target.value })}
        />
      )}
      <TextArea
        label="Description"
        value={entered.description}
        error={issueOf("description")}
        onChange={(event) => onEnter({ description: event.target.value })}
      />
      <TextField
        label="Window (minutes)"
        type="number"
        min={1}
        max={1440}
        value={entered.minutes}
        error={issueOf("windowMs")}
        onChange={(event) => onEnter({ minutes: event.target.value })}
      />
      <TextField
        label="Max requests"
        type="number"
        min={1}
        max={10_000}
        value={entered.maxRequests}
        error={issueOf("maxRequests")}
        onChange={(event) => onEnter({ maxRequests: event.target.value })}
      />
      <SwitchField
        label="Skip successful requests"
        isOn={entered.skipSuccessfulRequests}
        onChange={(skipSuccessfulRequests) => onEnter({ skipSuccessfulRequests })}
      />
      <SwitchField
        label="Skip failed requests"
        isOn={entered.skipFailedRequests}
        onChange={(skipFailedRequests) => onEnter({ skipFailedRequests })}
      />
    </>
  );
}
