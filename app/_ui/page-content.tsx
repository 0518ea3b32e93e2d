"use client";
import { createContext, useContext, type ReactNode } from "react";

const IsShown = createContext(false);

/** Around a page whose visitor may see it (signed-in-frame.tsx). */
export function ShownPage({ children }: { children: ReactNode }) {
  return <IsShown value={true}>{children}</IsShown>;
}

/**
 * What a signed-in page shows, and asks for, once the sign-in is known. The page stands in the document before, so that the
 * browser gets its code together with the frame's and not after it.
 */
export function PageContent({ children }: { children: ReactNode }) {
  return useContext(IsShown) ? children : null;
}
