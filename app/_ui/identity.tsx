import type { SessionUser } from "../_hooks/use-session.ts";
import { Badge } from "./badge.tsx";

/** Who is signed in: name, address and role. A name of any length leaves room for the address. */
export function Identity({ user }: { user: Pick<SessionUser, "firstName" | "lastName" | "email" | "role"> }) {
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 lg:flex-nowrap">
      <span className="max-w-full truncate font-medium text-ink lg:max-w-64 lg:shrink-[9999]" title={name}>
        {name}
      </span>
      <span className="min-w-0 truncate" title={user.email}>
        {user.email}
      </span>
      <Badge tone={user.role === "ADMIN" ? "loss" : "accent"}>{user.role === "ADMIN" ? "Admin" : "User"}</Badge>
    </p>
  );
}
