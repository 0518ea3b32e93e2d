"use client";
import { useSelectedLayoutSegment } from "next/navigation";
import { PlainButtonLink } from "./button.tsx";

/** The way to the sign-in, except on the pages of the sign-in themselves. */
export function HeaderAction() {
  if (useSelectedLayoutSegment() === "auth") return null;
  return (
    <PlainButtonLink tone="secondary" href="/auth">
      Sign in
    </PlainButtonLink>
  );
}
