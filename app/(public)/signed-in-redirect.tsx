"use client";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useSession } from "../_hooks/use-session.ts";

/** A visitor whose token is still good belongs on the dashboard. */
export function SignedInRedirect() {
  const { status } = useSession();
  const router = useRouter();
  useEffect(() => {
    if (status === "signed-in") router.replace("/dashboard");
  }, [status, router]);
  return null;
}
