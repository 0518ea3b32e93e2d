import type { SessionUser } from "../_hooks/use-session.ts";
import { Badge } from "./badge.tsx";

/** Who is signed in: name, address and role. */
export function Identity({ user }: { user: Pick<SessionUser, "firstName" | "lastName" | "email" | "role"> }) {
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <p className="flex min-w-0 items-center gap-2">
      <span className="truncate" title={`${name}, ${user.email}`}>
        <span className="font-medium text-ink">{name}</span>
        <span className="ml-2">{user.email}</span>
      </span>
      <Badge tone={user.role === "ADMIN" ? "loss" : "accent"}>{user.role === "ADMIN" ? "Admin" : "User"}</Badge>
    </p>
  );
}
