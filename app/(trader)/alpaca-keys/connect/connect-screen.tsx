"use client";
import { useEffect, useRef, useState } from "react";
import { accountsApi, titleOf } from "@/lib/contracts/accounts.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { SHOWS_ACCOUNTS } from "../../../_hooks/shows-accounts.ts";
import { useAction } from "../../../_hooks/use-action.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { ButtonLink } from "../../../_ui/button-link.tsx";
import { Card } from "../../../_ui/card.tsx";
import { PageHead } from "../../../_ui/page-head.tsx";

interface ConnectProps {
  state: string | null;
  code: string | null;
  error: string | null;
}

/** Hands on what Alpaca sent along, once, and takes it out of the address: who loads the page again finds nothing to do. */
export function ConnectScreen({ state, code, error }: ConnectProps) {
  const finishing = useAction(accountsApi.finishConnection, { refreshes: SHOWS_ACCOUNTS });
  const [account, setAccount] = useState<Answer<typeof accountsApi.finishConnection> | null>(null);
  const isSent = useRef(false);
  const { run } = finishing;
  useEffect(() => {
    if (state === null || isSent.current) return;
    isSent.current = true;
    window.history.replaceState(null, "", window.location.pathname);
    const sent = { state, ...(code === null ? {} : { code }), ...(error === null ? {} : { error }) };
    run(sent, { onSuccess: setAccount });
  }, [state, code, error, run]);
  return (
    <div className="flex flex-col gap-4">
      <PageHead title="Connect with Alpaca" />
      <Card title="Your account at Alpaca">
        <div className="flex flex-col items-start gap-4">
          {state === null && (
            <p className="text-muted">Nothing is being connected here. Your accounts are on the Alpaca Keys page.</p>
          )}
          {account !== null && (
            <Banner
              kind="success"
              {...(account.status === "INACTIVE"
                ? {
                    detail:
                      "It holds real money: nothing is traded in it until you confirm it on the Alpaca Keys page.",
                  }
                : {})}
            >
              {`Connected: ${titleOf(account)} (${account.environment})`}
            </Banner>
          )}
          {finishing.failure !== null && (
            <Banner kind="failure" detail={finishing.failure.message}>
              The account was not connected
            </Banner>
          )}
          {state !== null && account === null && finishing.failure === null && (
            <p role="status" className="text-muted">
              Connecting your account...
            </p>
          )}
          <ButtonLink href="/alpaca-keys">Go to Alpaca Keys</ButtonLink>
        </div>
      </Card>
    </div>
  );
}
