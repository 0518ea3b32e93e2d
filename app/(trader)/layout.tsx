import type { ReactNode } from "react";
import { currentUser } from "@/lib/server/http/guard.ts";
import { SignedInFrame } from "../_ui/signed-in-frame.tsx";

export default async function TraderLayout({ children }: { children: ReactNode }) {
  return <SignedInFrame hasCookie={(await currentUser()) !== null}>{children}</SignedInFrame>;
}
