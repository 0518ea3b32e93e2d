"use client";
import { useCallback, useEffect, useState } from "react";
import { call, CallError } from "@/lib/client/api.ts";
import { signWithPasskey } from "@/lib/client/passkeys.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { securityApi } from "@/lib/contracts/security.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { FactorForm } from "./factor-form.tsx";
import { FailureNote } from "./failure-note.tsx";
import { Skeleton } from "./skeleton.tsx";

type Offer = Answer<typeof securityApi.stepUpOptions>;

interface StepUpDialogProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

/** What is open beneath it stays as it is, whether the person confirms or not. */
export function StepUpDialog({ onConfirmed, onCancel }: StepUpDialogProps) {
  const { offer, failure, ask } = useOffer();

  async function confirmByPasskey() {
    const passkey = offer?.passkey;
    if (!passkey) return;
    try {
      const answer = await signWithPasskey(passkey.options);
      await call(securityApi.stepUp, { passkey: { ticket: passkey.ticket, answer } });
    } catch (error) {
      // What it has to sign may have expired: the next try signs something new.
      void ask();
      throw error;
    }
    onConfirmed();
  }

  const cancel = (
    <Button tone="secondary" onClick={onCancel}>
      Cancel
    </Button>
  );
  return (
    <Dialog
      isOpen
      isTopmost
      onClose={onCancel}
      title="Confirm that it is you"
      description="This needs a fresh confirmation, which is valid for five minutes."
    >
      {offer === null && failure === null && <Skeleton className="h-24" />}
      {offer === null && failure !== null && (
        <FailureNote text="Failed to load the ways to confirm" detail={failure.message} onRetry={() => void ask()} />
      )}
      {offer === null ? (
        <div className="flex justify-end">{cancel}</div>
      ) : (
        <FactorForm
          methods={offer.methods}
          onTyped={async (given) => {
            await call(securityApi.stepUp, given);
            onConfirmed();
          }}
          onPasskey={confirmByPasskey}
          aside={cancel}
        />
      )}
    </Dialog>
  );
}

function useOffer() {
  const [offer, setOffer] = useState<Offer | null>(null);
  const [failure, setFailure] = useState<CallError | null>(null);
  const ask = useCallback(async () => {
    try {
      setOffer(await call(securityApi.stepUpOptions, {}));
      setFailure(null);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(error);
    }
  }, []);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- set when the answer is there
    void ask();
  }, [ask]);
  return { offer, failure, ask };
}
