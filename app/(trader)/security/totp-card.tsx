"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { securityApi } from "@/lib/contracts/security.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { Time } from "../../_ui/time.tsx";
import { removalText, type FactorCardProps } from "./factor-text.ts";
import { FoundFactor } from "./found-factor.tsx";
import { TotpSetUp } from "./totp-set-up.tsx";

type Secret = Answer<typeof securityApi.startTotp>;

export function TotpCard({
  totp,
  onNewCodes,
  ...factor
}: FactorCardProps & { totp: Answer<typeof securityApi.read>["totp"] }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  const [isRemoving, setRemoving] = useState(false);
  const starting = useAction(securityApi.startTotp);
  const confirming = useAction(securityApi.confirmTotp, { refreshes: [securityApi.read] });
  const client = useQueryClient();
  // It may be set up all the same: by a call whose answer was lost, or in another tab.
  const readAgain = () => void client.invalidateQueries({ queryKey: [securityApi.read.path] });
  const endSetUp = () => {
    setSecret(null);
    starting.reset();
    confirming.reset();
  };
  const isFound = totp !== null && (starting.failure ?? confirming.failure) !== null;
  return (
    <Card title="Authenticator app" aside={totp === null ? undefined : <Badge tone="gain">On</Badge>}>
      <div className="flex flex-col items-start gap-3">
        {isFound && <FoundFactor isLast={factor.isLast}>The authenticator app is set up</FoundFactor>}
        {totp === null ? (
          <p>An app on your phone shows a code of six digits that you enter when you sign in.</p>
        ) : (
          <>
            <p>
              Set up <Time at={totp.confirmedAt} />.
            </p>
            <Button
              tone="secondary"
              onClick={() => {
                endSetUp();
                setRemoving(true);
              }}
            >
              Remove authenticator app
            </Button>
          </>
        )}
        {totp === null && starting.failure !== null && (
          <Banner kind="failure" detail={starting.failure.message}>
            The authenticator app was not set up
          </Banner>
        )}
        {totp === null && secret === null && (
          <Button
            disabled={starting.isBusy}
            onClick={() => starting.run({}, { onSuccess: setSecret, onFailure: readAgain })}
          >
            Set up an authenticator app
          </Button>
        )}
        {totp === null && secret !== null && (
          <TotpSetUp
            secret={secret}
            confirming={confirming}
            onFailure={readAgain}
            onCancel={endSetUp}
            onDone={(codes) => {
              endSetUp();
              onNewCodes(codes);
            }}
          />
        )}
      </div>
      {isRemoving && <RemoveTotp {...factor} onClose={() => setRemoving(false)} />}
    </Card>
  );
}

function RemoveTotp({ onClose, ...factor }: Omit<FactorCardProps, "onNewCodes"> & { onClose: () => void }) {
  const removal = useAction(securityApi.removeTotp, { refreshes: [securityApi.read] });
  return (
    <ConfirmDialog
      title="Remove the authenticator app?"
      description={`Its codes no longer work. ${removalText(factor)}`}
      action={removal.isBusy ? "One moment..." : "Remove"}
      isBusy={removal.isBusy}
      failure={removal.failure}
      onConfirm={() => removal.run({}, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
