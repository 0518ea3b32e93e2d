import type { RoleName } from "@/lib/domain/enums.ts";
import { Badge } from "../_ui/badge.tsx";

/** Admin red, User blue. */
export function RoleBadge({ role }: { role: RoleName }) {
  return <Badge tone={role === "ADMIN" ? "loss" : "accent"}>{role === "ADMIN" ? "Admin" : "User"}</Badge>;
}
