"use client";
import { createContext, useContext, useSyncExternalStore } from "react";

const QUERY = "(max-width: 639px)";

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(QUERY);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

/** What the browser says of itself to the server, which does not know the width of its window. */
export const PhoneHint = createContext(false);

/** True under 640 px, where rows become cards. */
export function useIsPhone(): boolean {
  const hint = useContext(PhoneHint);
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(QUERY).matches,
    () => hint,
  );
}
