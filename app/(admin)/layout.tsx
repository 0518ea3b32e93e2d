import { redirect } from "next/navigation";
import type { ReactNode } from "react";
import { currentUser } from "@/lib/server/http/guard.ts";
import { frameDocument } from "../_prefetch/frame.ts";
import { SignedInFrame } from "../_ui/signed-in-frame.tsx";

/** Who is signed in and no administrator goes back at once; whether a visitor without a cookie has a token, the browser knows. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const user = await currentUser();
  if (user !== null && user.role !== "ADMIN") redirect("/dashboard");
  return (
    <SignedInFrame access="admin" hasCookie={user !== null} document={await frameDocument(user?.role ?? null)}>
      {children}
    </SignedInFrame>
  );
}
