"use client";
import { useState, type FormEvent } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { securityApi } from "@/lib/contracts/security.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { DialogButtons } from "../../_ui/dialog-buttons.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { TextField } from "../../_ui/field.tsx";
import { Time } from "../../_ui/time.tsx";
import { removalText, type FactorCardProps } from "./factor-text.ts";

type Passkey = Answer<typeof securityApi.read>["passkeys"][number];
type PasskeyRowProps = Omit<FactorCardProps, "onNewCodes"> & { passkey: Passkey };

export function PasskeyRow({ passkey, ...factor }: PasskeyRowProps) {
  const [open, setOpen] = useState<"rename" | "remove" | null>(null);
  const removal = useAction(securityApi.removePasskey, { refreshes: [securityApi.read] });
  const { id, name, createdAt, lastUsedAt } = passkey;
  const close = () => {
    setOpen(null);
    removal.reset();
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted">
          Added <Time at={createdAt} />
        </p>
        <p className="text-muted">{lastUsedAt === null ? "Not used yet" : <>Last used {<Time at={lastUsedAt} />}</>}</p>
      </div>
      <div className="flex gap-2">
        <Button tone="quiet" aria-label={`Rename ${name}`} onClick={() => setOpen("rename")}>
          Rename
        </Button>
        <Button tone="quiet" aria-label={`Remove ${name}`} onClick={() => setOpen("remove")}>
          Remove
        </Button>
      </div>
      {open === "rename" && <RenameDialog passkey={passkey} onClose={close} />}
      {open === "remove" && (
        <ConfirmDialog
          title={`Remove the passkey “${name}”?`}
          description={`It no longer signs you in. ${removalText(factor)}`}
          action={removal.isBusy ? "One moment..." : "Remove"}
          isBusy={removal.isBusy}
          failure={removal.failure}
          onConfirm={() => removal.run({ id }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </li>
  );
}

function RenameDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [entered, setEntered] = useState(name);
  const renaming = useAction(securityApi.renamePasskey, { refreshes: [securityApi.read] });
  const issue = renaming.failure?.issues.find(({ path }) => path === "name")?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (entered.trim() !== "") renaming.run({ id, name: entered }, { onSuccess: onClose });
  };
  return (
    <Dialog isOpen onClose={onClose} title="Rename the passkey" description="Only you see this name.">
      {renaming.failure !== null && issue === undefined && <Banner kind="failure">{renaming.failure.message}</Banner>}
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextField
          label="Name of the passkey"
          value={entered}
          maxLength={60}
          autoComplete="off"
          error={issue}
          onChange={(event) => setEntered(event.target.value)}
        />
        <DialogButtons
          onCancel={onClose}
          action="Rename"
          tone="primary"
          isDisabled={renaming.isBusy || entered.trim() === ""}
        />
      </form>
    </Dialog>
  );
}
