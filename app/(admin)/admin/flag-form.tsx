"use client";
import { useState, type FormEvent } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { FLAG_ENVIRONMENTS } from "@/lib/domain/enums.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { DialogButtons } from "../../_ui/dialog-buttons.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { FailureBanner } from "../../_ui/failure-note.tsx";
import { SelectField, TextArea, TextField } from "../../_ui/field.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";

type FlagEnvironment = (typeof FLAG_ENVIRONMENTS)[number];

/** A new flag: disabled and for production unless it is said otherwise. */
export function FlagForm({ onClose }: { onClose: () => void }) {
  const create = useAction(flagsApi.save, { refreshes: [flagsApi.list, flagsApi.read] });
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [environment, setEnvironment] = useState<FlagEnvironment>("production");
  const [enabled, setEnabled] = useState(false);
  const issueOf = (path: string) => create.failure?.issues.find((issue) => issue.path === path)?.message;
  const isNamed = name.trim() !== "";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isNamed && !create.isBusy) create.run({ name, description, environment, enabled }, { onSuccess: onClose });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Create a feature flag"
      description="Flags of this installation's environment are served to every signed-in page by name."
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {create.failure !== null && create.failure.issues.length === 0 && (
          <FailureBanner {...failureText(create.failure, "Failed to create feature flag")} />
        )}
        <TextField
          label="Name"
          value={name}
          error={issueOf("name")}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setName(event.target.value)}
        />
        <TextArea
          label="Description"
          value={description}
          error={issueOf("description")}
          onChange={(event) => setDescription(event.target.value)}
        />
        <SelectField
          label="Environment"
          options={FLAG_ENVIRONMENTS.map((value) => ({ value, label: value }))}
          value={environment}
          onChange={(event) => setEnvironment(event.target.value as FlagEnvironment)}
        />
        <SwitchField label="Enabled" isOn={enabled} onChange={setEnabled} />
        <DialogButtons
          onCancel={onClose}
          action={create.isBusy ? "Creating..." : "Create"}
          tone="primary"
          isDisabled={!isNamed || create.isBusy}
        />
      </form>
    </Dialog>
  );
}
