"use client";
import { useState, type FormEvent } from "react";
import { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { TextArea, TextField } from "../../_ui/field.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import type { Limit } from "./limits-tab.tsx";

const MINUTE_MS = 60_000;

/** A new limit, or the values of one: its name stays, because route groups are bound by it. */
export function LimitForm({ limit, onClose }: { limit: Limit | null; onClose: () => void }) {
  const save = useAction(rateLimitsApi.save, { refreshes: [rateLimitsApi.list] });
  const [name, setName] = useState(limit?.name ?? "");
  const [description, setDescription] = useState(limit?.description ?? "");
  const [minutes, setMinutes] = useState(String((limit?.windowMs ?? 900_000) / MINUTE_MS));
  const [maxRequests, setMaxRequests] = useState(String(limit?.maxRequests ?? 100));
  const [skipSuccessfulRequests, setSkipSuccessful] = useState(limit?.skipSuccessfulRequests ?? false);
  const [skipFailedRequests, setSkipFailed] = useState(limit?.skipFailedRequests ?? false);
  const issueOf = (path: string) => save.failure?.issues.find((issue) => issue.path === path)?.message;
  const isNamed = name.trim() !== "";
  const fallback =
    limit === null ? "Failed to create rate limit configuration" : "Failed to update rate limit configuration";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isNamed || save.isBusy) return;
    const input = {
      name,
      description,
      windowMs: Number(minutes) * MINUTE_MS,
      maxRequests: Number(maxRequests),
      skipSuccessfulRequests,
      skipFailedRequests,
      enabled: limit?.enabled ?? true,
    };
    save.run(input, { onSuccess: onClose });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={limit === null ? "Create a rate limit" : `Edit ${limit.name}`}
      description="A name that is no route group of the product is stored and acts on nothing."
    >
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {save.failure !== null && save.failure.issues.length === 0 && (
          <Banner kind="failure">{save.failure.message || fallback}</Banner>
        )}
        {limit === null && (
          <TextField
            label="Name"
            value={name}
            error={issueOf("name")}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <TextArea
          label="Description"
          value={description}
          error={issueOf("description")}
          onChange={(event) => setDescription(event.target.value)}
        />
        <TextField
          label="Window (minutes)"
          type="number"
          min={1}
          max={1440}
          value={minutes}
          error={issueOf("windowMs")}
          onChange={(event) => setMinutes(event.target.value)}
        />
        <TextField
          label="Max requests"
          type="number"
          min={1}
          max={10_000}
          value={maxRequests}
          error={issueOf("maxRequests")}
          onChange={(event) => setMaxRequests(event.target.value)}
        />
        <SwitchField label="Skip successful requests" isOn={skipSuccessfulRequests} onChange={setSkipSuccessful} />
        <SwitchField label="Skip failed requests" isOn={skipFailedRequests} onChange={setSkipFailed} />
        <div className="flex justify-end gap-3">
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isNamed || save.isBusy}>
            {save.isBusy ? "Saving…" : limit === null ? "Create" : "Save"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
