"use client";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { failureText } from "@/lib/client/failure-text.ts";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText } from "@/lib/domain/format.ts";
import { useCursorPages } from "../../../_hooks/use-cursor-pages.ts";
import { useSettled } from "../../../_hooks/use-settled.ts";
import { useUrlValues } from "../../../_hooks/use-url-values.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { TextField } from "../../../_ui/field.tsx";
import { Pager } from "../../../_ui/pager.tsx";
import { SkeletonRows } from "../../../_ui/skeleton.tsx";
import { Table, type Column } from "../../../_ui/table.tsx";
import { Time } from "../../../_ui/time.tsx";
import { ConsoleHead } from "../../console-head.tsx";
import { RoleBadge } from "../../role-badge.tsx";

const ROWS = 50;
type Row = Answer<typeof adminUsersApi.list>["users"][number];

const nameOf = ({ firstName, lastName }: Row) => `${firstName} ${lastName}`;

function NameLink({ row }: { row: Row }) {
  return (
    <Link
      href={`/admin/users/${row.id}`}
      className="font-medium text-accent underline-offset-4 wrap-anywhere hover:underline"
    >
      {nameOf(row)}
    </Link>
  );
}

const COLUMNS: Column<Row>[] = [
  {
    key: "name",
    title: "Name",
    cell: (row) => (
      <span className="flex flex-wrap items-center gap-2">
        <NameLink row={row} />
        {row.isDisabled && <Badge tone="warn">disabled</Badge>}
      </span>
    ),
  },
  { key: "email", title: "Email", cell: ({ email }) => <span className="wrap-anywhere">{email}</span> },
  { key: "role", title: "Role", cell: ({ role }) => <RoleBadge role={role} /> },
  { key: "accounts", title: "Accounts", isNumber: true, cell: ({ accountCount }) => countText(accountCount) },
  { key: "created", title: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
];

export function UsersScreen() {
  const router = useRouter();
  const { values, change } = useUrlValues({ q: "" });
  const search = useSettled(values.q.trim());
  const page = useCursorPages(adminUsersApi.list, { limit: ROWS, ...(search === "" ? {} : { search }) });
  const rows = page.data?.users ?? [];
  const total = page.data?.pagination.total ?? 0;
  const from = page.index * ROWS;
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead title="Users" />
      <div className="max-w-sm">
        <TextField
          label="Search"
          type="search"
          placeholder="Name or email"
          maxLength={100}
          value={values.q}
          onChange={(event) => change({ q: event.target.value })}
        />
      </div>
      {page.failure !== null && (
        <FailureNote {...failureText(page.failure, "Failed to load users")} onRetry={page.retry} />
      )}
      <div
        aria-busy={page.isOld}
        className="overflow-clip rounded-xl border border-line bg-surface transition-[filter] delay-300 empty:hidden aria-busy:grayscale"
      >
        {page.isLoading && (
          <>
            <p role="status" className="border-b border-line px-5 py-3 text-muted">
              Loading users...
            </p>
            <SkeletonRows />
          </>
        )}
        {page.data !== undefined && rows.length === 0 && (
          <Empty title="No users found" {...(search === "" ? {} : { hint: "Try another name or email address." })} />
        )}
        {rows.length > 0 && (
          <Table
            caption="Users"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
            onOpen={({ id }) => router.push(`/admin/users/${id}`)}
            card={(row) => <UserCard row={row} />}
          />
        )}
      </div>
      {(page.hasNext || page.index > 0) && (
        <Pager
          text={
            rows.length === 0
              ? ""
              : `${countText(from + 1)} to ${countText(from + rows.length)} of ${countText(total)} users`
          }
          hasPrevious={page.index > 0}
          hasNext={page.hasNext}
          isBusy={page.isRefreshing}
          onPrevious={page.previous}
          onNext={page.next}
        />
      )}
    </div>
  );
}

function UserCard({ row }: { row: Row }) {
  return (
    <div className="flex flex-col gap-1 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <NameLink row={row} />
        <RoleBadge role={row.role} />
        {row.isDisabled && <Badge tone="warn">disabled</Badge>}
      </div>
      <div className="text-muted wrap-anywhere">
        {row.email} · {countText(row.accountCount)} {row.accountCount === 1 ? "account" : "accounts"} · created{" "}
        <Time at={row.createdAt} />
      </div>
    </div>
  );
}
