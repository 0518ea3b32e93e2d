"use client";
import { useRouter } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { readToken } from "@/lib/client/storage.ts";
import { useSession } from "../_hooks/use-session.ts";

const never = () => () => undefined;

/** A visitor whose token is still good belongs on the dashboard. While it is looked at, a loading indicator covers the page. */
export function SignedInRedirect() {
  const session = useSession();
  const router = useRouter();
  const hasToken = useSyncExternalStore(
    never,
    () => readToken() !== null,
    () => false,
  );

  useEffect(() => {
    if (session.status === "signed-in") router.replace("/dashboard");
  }, [session.status, router]);

  const isWaiting = session.status === "signed-in" || (session.status === "loading" && !session.isUnreachable);
  if (!hasToken || !isWaiting) return null;
  return (
    <p role="status" className="fixed inset-0 z-40 flex items-center justify-center bg-ground text-muted">
      Loading...
    </p>
  );
}
