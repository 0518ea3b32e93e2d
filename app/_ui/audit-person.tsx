"use client";
import type { AuditEvent } from "./audit-details.tsx";
import { Badge } from "./badge.tsx";

/** Whom an event concerned. */
export function AuditPerson({ event: { user, closed } }: { event: AuditEvent }) {
  if (user === null) return <span className="text-muted">—</span>;
  if (closed === "erased") return <span className="text-muted">An erased user</span>;
  return (
    <span className="block min-w-40">
      <span className="flex flex-wrap items-center gap-1.5">
        {`${user.firstName} ${user.lastName}`}
        <Badge tone={user.role === "ADMIN" ? "loss" : "accent"}>{user.role === "ADMIN" ? "Admin" : "User"}</Badge>
      </span>
      <span className="block text-xs wrap-anywhere text-muted">{user.email}</span>
    </span>
  );
}
