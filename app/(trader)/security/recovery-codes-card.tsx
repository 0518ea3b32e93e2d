"use client";
import { useState } from "react";
import { SECURITY_BOUNDS, securityApi } from "@/lib/contracts/security.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";

/** From here on the person is told that the codes run out. */
const FEW = 3;

export function RecoveryCodesCard({ left, onNewCodes }: { left: number; onNewCodes: (codes: string[]) => void }) {
  const [isAsking, setAsking] = useState(false);
  const renewal = useAction(securityApi.renewRecoveryCodes, { refreshes: [securityApi.read] });
  const close = () => {
    setAsking(false);
    renewal.reset();
  };
  return (
    <Card
      title="Recovery codes"
      aside={
        <Badge tone={left > FEW ? "neutral" : "warn"}>
          {left} of {SECURITY_BOUNDS.recoveryCodes} left
        </Badge>
      }
    >
      <div className="flex flex-col items-start gap-3">
        <p>
          A recovery code signs you in when you have lost your second factor. Each works once.
          {left <= FEW && " Make new ones before the last is used."}
        </p>
        <Button tone="secondary" onClick={() => setAsking(true)}>
          Make new recovery codes
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Make new recovery codes?"
          description="The codes that you have now stop working."
          action={renewal.isBusy ? "One moment..." : "Make new codes"}
          isBusy={renewal.isBusy}
          failure={renewal.failure}
          onConfirm={() =>
            renewal.run(
              {},
              {
                onSuccess: ({ recoveryCodes }) => {
                  close();
                  onNewCodes(recoveryCodes);
                },
              },
            )
          }
          onClose={close}
        />
      )}
    </Card>
  );
}
