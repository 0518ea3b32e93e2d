"use client";
import { useSelectedLayoutSegment } from "next/navigation";
import { useSyncExternalStore } from "react";
import { readToken } from "@/lib/client/storage.ts";
import { PlainButtonLink } from "./button.tsx";

const never = () => () => undefined;

/** The way to the sign-in, except on the pages of the sign-in themselves; for those who are signed in, the way to their dashboard. */
export function HeaderAction({ name }: { name: string | null }) {
  // The cookie of pages, by which the server knows the name, may outlive the token, which decides.
  const hasToken = useSyncExternalStore(
    never,
    () => readToken() !== null,
    () => true,
  );
  const isSigningIn = useSelectedLayoutSegment() === "auth";
  if (name !== null && hasToken)
    return (
      <PlainButtonLink tone="secondary" href="/dashboard" title="Open your dashboard" className="max-w-60">
        <span className="truncate">{name}</span>
      </PlainButtonLink>
    );
  if (isSigningIn) return null;
  return (
    <PlainButtonLink tone="secondary" href="/auth">
      Sign in
    </PlainButtonLink>
  );
}
