"use client";
import { createContext, useContext, type ReactNode } from "react";
import type { PrefetchedAnswer } from "@/lib/contracts/prefetched.ts";
import { PageBoundary } from "./page-boundary.tsx";
import { PrefetchedAnswers } from "./prefetched.tsx";

/** "anothers": the document was made for another person than the one who is signed in. */
const Shown = createContext<"not" | "yes" | "anothers">("not");

/** Around a page whose visitor may see it (signed-in-frame.tsx). */
export function ShownPage({ isAnothers, children }: { isAnothers: boolean; children: ReactNode }) {
  return <Shown value={isAnothers ? "anothers" : "yes"}>{children}</Shown>;
}

/**
 * What a signed-in page shows, with the answers that came with its document, once the sign-in is known. The page stands in
 * the document before, so that the browser gets its code together with the frame's and not after it.
 */
export function PageContent({
  answers = [],
  children,
}: {
  answers?: readonly PrefetchedAnswer[];
  children: ReactNode;
}) {
  const shown = useContext(Shown);
  if (shown === "not") return null;
  return (
    <PrefetchedAnswers answers={shown === "yes" ? answers : []}>
      <PageBoundary>{children}</PageBoundary>
    </PrefetchedAnswers>
  );
}
