"use client";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { accountsApi } from "@/lib/contracts/accounts.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { Badge, EnvironmentBadge } from "../../_ui/badge.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { Time } from "../../_ui/time.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";

type Account = Answer<typeof accountsApi.list>[number];

interface AccountListProps {
  accounts: Account[] | undefined;
  isLoading: boolean;
  onDeleted: () => void;
}

const STATUS_TONE = { ACTIVE: "gain", PAUSED: "warn", INACTIVE: "neutral" } as const;

const nameOf = (account: Account) =>
  account.name ?? (account.broker === "PRACTICE" ? "Practice account" : "Alpaca account");

export function AccountList({ accounts, isLoading, onDeleted }: AccountListProps) {
  const [doomed, setDoomed] = useState<Account | null>(null);
  if (isLoading) return <Skeleton className="h-40 w-full" />;
  if (accounts === undefined || accounts.length === 0) {
    return (
      <Empty title="No accounts yet" hint="Add the keys of your Alpaca account, or start on the practice market." />
    );
  }
  return (
    <>
      <ul className="divide-y divide-line">
        {accounts.map((account) => (
          <li key={account.id} className="flex items-start justify-between gap-4 py-4 first:pt-0 last:pb-0">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-semibold break-words">{nameOf(account)}</span>
                <EnvironmentBadge environment={account.broker === "PRACTICE" ? "PRACTICE" : account.environment} />
                <Badge tone={STATUS_TONE[account.status]}>{account.status}</Badge>
              </p>
              <p className="mt-1 flex flex-wrap gap-x-3 gap-y-1 text-muted">
                <span>
                  Key{" "}
                  <code className="font-mono text-ink">
                    {account.alpacaKey === null ? "none" : `${account.alpacaKey.slice(0, 8)}...`}
                  </code>
                </span>
                <span>{account.accountType}</span>
                <span>
                  Added <Time at={account.createdAt} />
                </span>
              </p>
              {account.haltReason !== null && <p className="mt-1 text-warn">{account.haltReason}</p>}
            </div>
            <button
              type="button"
              aria-label={`Delete ${nameOf(account)}`}
              onClick={() => setDoomed(account)}
              className="flex size-11 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-loss-soft hover:text-loss sm:size-9"
            >
              <Trash2 aria-hidden className="size-4" />
            </button>
          </li>
        ))}
      </ul>
      {doomed !== null && (
        <DeleteDialog
          id={doomed.id}
          name={nameOf(doomed)}
          onClose={() => setDoomed(null)}
          onDeleted={() => {
            setDoomed(null);
            onDeleted();
          }}
        />
      )}
    </>
  );
}
