import type { ReactNode } from "react";
import { currentUser } from "@/lib/server/http/guard.ts";
import { frameDocument } from "../_prefetch/frame.ts";
import { SignedInFrame } from "../_ui/signed-in-frame.tsx";

export default async function TraderLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  return (
    <SignedInFrame hasCookie={user !== null} document={await frameDocument(user?.role ?? null)}>
      {children}
    </SignedInFrame>
  );
}
