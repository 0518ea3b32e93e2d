"use client";
import { useSelectedLayoutSegment } from "next/navigation";
import { PlainButtonLink } from "./button.tsx";

/** The way to the sign-in, except on the pages of the sign-in themselves; for those who are signed in, the way to their dashboard. */
export function HeaderAction({ name }: { name: string | null }) {
  const isSigningIn = useSelectedLayoutSegment() === "auth";
  if (name !== null)
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
