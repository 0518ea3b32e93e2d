"use client";
import type { FormEvent } from "react";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import { useAlpacaAuthorization } from "../../_hooks/use-alpaca-authorization.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { SelectField, TextField } from "../../_ui/field.tsx";

const ENVIRONMENTS = [
  { value: "PAPER", label: "Paper" },
  { value: "LIVE", label: "Live" },
] as const;

type Wish = Sent<typeof accountsApi.startConnection>;

/** Only where this installation is known to Alpaca. */
export function ConnectCard({ onStart }: { onStart: () => void }) {
  const authorization = useAlpacaAuthorization(accountsApi.startConnection);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onStart();
    const { name, environment } = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    authorization.begin({
      environment: environment as NonNullable<Wish["environment"]>,
      ...(name?.trim() ? { name: name.trim() } : {}),
    });
  }

  return (
    <Card title="Connect with Alpaca">
      <p className="mb-4 text-muted">
        No keys to paste: you sign in at Alpaca, choose an account and allow Tradewind to trade in it. You can revoke
        this at Alpaca, under OAuth Apps.
      </p>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField name="name" label="Account name (optional)" maxLength={80} autoComplete="off" />
        <SelectField name="environment" label="Environment" options={ENVIRONMENTS} defaultValue="PAPER" />
        {authorization.failure !== null && (
          <Banner kind="failure" detail={authorization.failure.message}>
            Failed to connect
          </Banner>
        )}
        <Button type="submit" disabled={authorization.isBusy}>
          {authorization.isBusy ? "Going to Alpaca..." : "Connect with Alpaca"}
        </Button>
      </form>
    </Card>
  );
}
