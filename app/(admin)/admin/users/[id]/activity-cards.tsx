"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import type { OrderStatusName } from "@/lib/domain/enums.ts";
import { cycleText } from "@/lib/domain/insight/cycle-text.ts";
import { TRADE_STATUS } from "@/lib/domain/orders.ts";
import { Badge, EnvironmentBadge } from "../../../../_ui/badge.tsx";
import { Card } from "../../../../_ui/card.tsx";
import { StatusBadge } from "../../../../_ui/status-badge.tsx";
import { Time } from "../../../../_ui/time.tsx";
import type { User } from "./user-screen.tsx";

/** What the automation decided and sent for the person, what halted, and where they signed in. */
export function ActivityCards({ user }: { user: User }) {
  const { decisions, orders, halts, signIns } = user;
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <List title="Last decisions" empty="Nothing was decided yet" rows={decisions}>
        {({ line, decidedAt }) => (
          <>
            <span className="wrap-anywhere">{cycleText(line, null)}</span>
            <Time at={decidedAt} />
          </>
        )}
      </List>
      <List title="Last orders" empty="No orders yet" rows={orders}>
        {({ id, symbol, side, qty, filledQty, status, environment, at }) => (
          <>
            <span className="flex flex-wrap items-center gap-2">
              <Link
                href={`/trade-history/${id}`}
                className="font-medium text-accent underline-offset-4 hover:underline"
              >
                {side === "BUY" ? "Buy" : "Sell"} {qty ?? filledQty} {symbol}
              </Link>
              <StatusBadge status={TRADE_STATUS[status as OrderStatusName]} />
              <EnvironmentBadge environment={environment} />
            </span>
            <Time at={at} />
          </>
        )}
      </List>
      <List title="Halts" empty="No account was ever halted" rows={halts}>
        {({ text, at }) => (
          <>
            <span className="wrap-anywhere">{text}</span>
            <Time at={at} />
          </>
        )}
      </List>
      <List title="Sign-ins" empty="Never signed in" rows={signIns}>
        {({ device, ipAddress, createdAt, isOpen }) => (
          <>
            <span className="flex flex-wrap items-center gap-2 wrap-anywhere">
              {device ?? "Unknown device"}
              <span className="text-muted">{ipAddress ?? "address not kept"}</span>
              {isOpen && <Badge tone="gain">open</Badge>}
            </span>
            <Time at={createdAt} />
          </>
        )}
      </List>
    </div>
  );
}

interface ListProps<Row> {
  title: string;
  empty: string;
  rows: readonly Row[];
  children: (row: Row) => ReactNode;
}

function List<Row extends { id: string }>({ title, empty, rows, children }: ListProps<Row>) {
  return (
    <Card title={title}>
      {rows.length === 0 && <p className="text-sm text-muted">{empty}</p>}
      <ul className="divide-y divide-line text-sm">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
            {children(row)}
          </li>
        ))}
      </ul>
    </Card>
  );
}
