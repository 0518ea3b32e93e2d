"use client";
import { useState } from "react";
import { accountsApi } from "@/lib/contracts/accounts.ts";
import { flagsApi } from "@/lib/contracts/flags.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { NoteBanner } from "../../_ui/note-banner.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { AccountList } from "./account-list.tsx";
import type { Note } from "./account-text.ts";
import { AddAccountForm } from "./add-account-form.tsx";
import { ConnectCard } from "./connect-card.tsx";
import { PracticeCard } from "./practice-card.tsx";

const POLL_MS = 15_000;
const ADDED: Note = { kind: "success", text: "Account added successfully!" };

/** `canConnect`: without keys, at Alpaca. */
export function AlpacaKeysScreen({ canConnect }: { canConnect: boolean }) {
  const accounts = useEndpoint(accountsApi.list, {}, { pollMs: POLL_MS });
  const flags = useEndpoint(flagsApi.read, {});
  const [note, setNote] = useState<Note | null>(null);
  const mayPractise =
    flags.data?.practice_market === true &&
    accounts.data !== undefined &&
    !accounts.data.some((account) => account.broker === "PRACTICE");
  return (
    <div className="flex flex-col gap-4">
      <PageHead title="Alpaca Keys" />
      {note !== null && <NoteBanner {...note} />}
      {accounts.failure !== null && (
        <FailureNote text="Failed to fetch accounts" detail={accounts.failure.message} onRetry={accounts.retry} />
      )}
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <Card
          title="Alpaca Trading Accounts"
          className="lg:col-span-2"
          aside={accounts.isStale ? <Badge tone="warn">stale</Badge> : undefined}
        >
          <AccountList accounts={accounts.data} isLoading={accounts.isLoading} onNote={setNote} />
        </Card>
        <div className="flex flex-col gap-4">
          {canConnect && <ConnectCard onStart={() => setNote(null)} />}
          <AddAccountForm onAdded={() => setNote(ADDED)} onStart={() => setNote(null)} />
          {mayPractise && <PracticeCard onAdded={() => setNote(ADDED)} />}
        </div>
      </div>
    </div>
  );
}
