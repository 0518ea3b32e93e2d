import { Empty } from "../../_ui/empty.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { AccountRow } from "./account-row.tsx";
import type { Account, Note } from "./account-text.ts";

interface AccountListProps {
  accounts: Account[] | undefined;
  isLoading: boolean;
  onNote: (note: Note) => void;
}

export function AccountList({ accounts, isLoading, onNote }: AccountListProps) {
  if (isLoading) return <Skeleton className="h-[314px] w-full sm:h-[176px]" />;
  // The banner above says what failed.
  if (accounts === undefined) return null;
  if (accounts.length === 0) {
    return (
      <Empty title="No accounts yet" hint="Add the keys of your Alpaca account, or start on the practice market." />
    );
  }
  return (
    <ul className="divide-y divide-line">
      {accounts.map((account) => (
        <AccountRow key={account.id} account={account} onNote={onNote} />
      ))}
    </ul>
  );
}
