"use client";
import { useState } from "react";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { AccountList } from "./account-list.tsx";
import { AddAccountForm } from "./add-account-form.tsx";
import { PracticeCard } from "./practice-card.tsx";

export function AlpacaKeysScreen() {
  const accounts = useEndpoint(accountsApi.list, {});
  const [success, setSuccess] = useState<string | null>(null);
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-2xl font-semibold tracking-tight">Alpaca Keys</h1>
      {success !== null && <Banner kind="success">{success}</Banner>}
      {accounts.failure !== null && (
        <FailureNote text="Failed to fetch accounts" detail={accounts.failure.message} onRetry={accounts.retry} />
      )}
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <Card title="Alpaca Trading Accounts" className="lg:col-span-2">
          <AccountList
            accounts={accounts.data}
            isLoading={accounts.isLoading}
            onDeleted={() => setSuccess("Account deleted successfully!")}
          />
        </Card>
        <div className="flex flex-col gap-4">
          <AddAccountForm onAdded={() => setSuccess("Account added successfully!")} onStart={() => setSuccess(null)} />
          {accounts.data !== undefined && !accounts.data.some((account) => account.broker === "PRACTICE") && (
            <PracticeCard onAdded={() => setSuccess("Account added successfully!")} />
          )}
        </div>
      </div>
    </div>
  );
}
