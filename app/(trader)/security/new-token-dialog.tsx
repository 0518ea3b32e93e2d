"use client";
import { useLeaveGuard } from "../../_hooks/use-leave-guard.ts";
import { Button } from "../../_ui/button.tsx";
import { CopyButton } from "../../_ui/copy-button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { TextField } from "../../_ui/field.tsx";
import { LeaveDialog } from "../../_ui/leave-dialog.tsx";

/** The server keeps a hash alone, so this is the only time that the token can be read: nothing but the button closes it. */
export function NewTokenDialog({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  const guard = useLeaveGuard(true);
  return (
    <>
      <Dialog
        isOpen
        onClose={() => {}}
        title="Copy your access token"
        description="Keep it like a password. It is not shown again: if you lose it, revoke it and make another."
      >
        <TextField
          label="Access token"
          readOnly
          value={secret}
          className="font-mono"
          onFocus={(event) => event.target.select()}
        />
        <CopyButton text={secret}>Copy</CopyButton>
        <Button onClick={onSaved}>I have saved it</Button>
      </Dialog>
      <LeaveDialog
        isOpen={guard.isAsking}
        title="Leave without copying it?"
        description="The token stays valid and is not shown again."
        onStay={guard.stay}
        onLeave={guard.leave}
      />
    </>
  );
}
