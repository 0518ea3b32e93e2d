"use client";
import Link from "next/link";
import { userHealth } from "@/lib/domain/console.ts";
import { countText } from "@/lib/domain/format.ts";
import type { CallError } from "@/lib/client/api.ts";
import { Badge, EnvironmentBadge } from "../../_ui/badge.tsx";
import { Card } from "../../_ui/card.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { AmountsText } from "../../_ui/money.tsx";
import { Pager } from "../../_ui/pager.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import type { Metrics } from "./overview-cards.tsx";

type User = Metrics["userHealth"][number];

interface Pages {
  data: Metrics | undefined;
  index: number;
  hasNext: boolean;
  isOld: boolean;
  isStale: boolean;
  failure: CallError | null;
  retry: () => void;
  next: () => void;
  previous: () => void;
}

function Health({ user }: { user: User }) {
  const { label, tone } = userHealth(user);
  return <Badge tone={tone}>{label}</Badge>;
}

function Accounts({ user }: { user: User }) {
  if (user.accounts.length === 0) return <span className="text-muted">—</span>;
  return (
    <ul className="flex flex-col gap-1">
      {user.accounts.map((account) => (
        <li key={account.id} className="flex flex-wrap items-center gap-2">
          <EnvironmentBadge environment={account.environmentLabel} />
          <span className="wrap-anywhere">{account.name}</span>
          <span className="text-xs text-muted">
            {countText(account.trades)} {account.trades === 1 ? "trade" : "trades"}
          </span>
          {account.haltReason !== null && (
            <span className="basis-full text-xs text-loss">
              <AmountsText text={account.haltReason} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const Name = ({ user }: { user: User }) => (
  <span className="block min-w-0">
    <span className="block font-medium wrap-anywhere">
      {user.firstName} {user.lastName}
    </span>
    <span className="block text-xs wrap-anywhere text-muted">{user.email}</span>
  </span>
);

const COLUMNS: Column<User>[] = [
  { key: "name", title: "User", cell: (user) => <Name user={user} /> },
  {
    key: "role",
    title: "Role",
    cell: ({ role }) => (
      <Badge tone={role === "ADMIN" ? "loss" : "accent"}>{role === "ADMIN" ? "Admin" : "User"}</Badge>
    ),
  },
  { key: "health", title: "Health", cell: (user) => <Health user={user} /> },
  { key: "accounts", title: "Accounts", cell: (user) => <Accounts user={user} /> },
];

export function UserHealthCard({ pages }: { pages: Pages }) {
  const { data, index } = pages;
  const first = index * (data?.pagination.limit ?? 0) + 1;
  return (
    <Card
      title="User Health"
      aside={
        <Link href="/admin/users" className="tap text-sm font-medium text-accent hover:underline">
          All users
        </Link>
      }
    >
      {/* The first page comes with the figures of the overview, whose failure stands above. */}
      {index > 0 && pages.failure !== null && (
        <FailureNote text="Failed to load users" detail={pages.failure.message} onRetry={pages.retry} />
      )}
      {data?.userHealth.length === 0 && <Empty title="No users found" />}
      {data !== undefined && data.userHealth.length > 0 && (
        <div className={`-mx-4 sm:-mx-5 ${pages.isOld || pages.isStale ? "text-muted grayscale" : ""}`}>
          <Table
            caption="Users and their accounts"
            columns={COLUMNS}
            rows={data.userHealth}
            rowKey={({ id }) => id}
            card={(user) => (
              <div className="flex flex-col gap-2 text-sm">
                <div className="flex items-start justify-between gap-3">
                  <Name user={user} />
                  <Health user={user} />
                </div>
                <Accounts user={user} />
              </div>
            )}
          />
        </div>
      )}
      <div className="mt-4">
        <Pager
          text={
            data === undefined
              ? ""
              : `${countText(first)}–${countText(first + data.userHealth.length - 1)} of ${countText(data.totalUsers)} users`
          }
          hasPrevious={index > 0}
          hasNext={pages.hasNext}
          isBusy={pages.isOld}
          onPrevious={pages.previous}
          onNext={pages.next}
        />
      </div>
    </Card>
  );
}
