import type { ReactNode } from "react";
import { currentUser, supportEmail } from "@/lib/server/http/guard.ts";
import { PublicFrame } from "../_ui/public-frame.tsx";

export default async function PublicLayout({ children }: { children: ReactNode }) {
  // The page stands without it: who is signed in may be unknown.
  const user = await currentUser().catch(() => null);
  return (
    <PublicFrame supportEmail={await supportEmail()} name={user ? `${user.firstName} ${user.lastName}` : null}>
      {children}
    </PublicFrame>
  );
}
