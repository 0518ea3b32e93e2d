"use client";
import Link from "next/link";
import { useEffect } from "react";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import type { TabProps } from "./save-note.ts";
import { TradingForm } from "./trading-form.tsx";
import { useRetryOnOpen } from "./use-preferences.ts";

export function TradingTab(props: TabProps) {
  const { trading: preferences, forgetTrading, keepTrading } = props.preferences;
  useRetryOnOpen(preferences);
  const explained = useEndpoint(preferencesApi.explain, {});
  const accounts = useEndpoint(accountsApi.list, {});
  useEffect(() => {
    if (accounts.failure) console.error("accounts for the keys notice", accounts.failure);
  }, [accounts.failure]);
  const needsKeys =
    accounts.data !== undefined && !accounts.data.some((account) => account.status === "ACTIVE" && account.hasKeys);
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      {needsKeys && (
        <Banner
          kind="warning"
          detail="Automation starts once an active account with keys is connected."
          action={
            <Link href="/alpaca-keys" className="min-h-6 rounded-sm font-medium underline underline-offset-4">
              Add keys
            </Link>
          }
        >
          Need Alpaca Keys
        </Banner>
      )}
      <Card title="Trading">
        {preferences.failure !== null && (
          <FailureNote
            text="Failed to load preferences"
            detail={preferences.failure.message}
            onRetry={preferences.retry}
          />
        )}
        {preferences.data === undefined && preferences.failure === null && (
          <p role="status" className="py-10 text-center text-muted">
            Loading preferences...
          </p>
        )}
        {preferences.data !== undefined && (
          <TradingForm
            {...props}
            saved={preferences.data}
            explained={explained}
            onReload={preferences.retry}
            onForget={forgetTrading}
            onSaved={keepTrading}
          />
        )}
      </Card>
    </div>
  );
}
