import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import type { RoleName } from "@/lib/domain/enums.ts";

export interface UserRow {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  role: RoleName;
  emailVerifiedAt: Date | null;
  createdAt: Date;
}

/** A user as the person sees themselves. */
export function userView(user: UserRow): Given<typeof authApi.me> {
  const { id, email, firstName, lastName, role, emailVerifiedAt, createdAt } = user;
  return { id, email, firstName, lastName, role, emailVerified: emailVerifiedAt !== null, createdAt };
}
