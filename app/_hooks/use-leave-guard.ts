"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { BEFORE_STEP } from "@/lib/client/before-step.ts";

type Way = () => void;

/** What the page with unsaved changes does with a way out; null while nothing would be lost. */
let ask: ((way: Way) => void) | null = null;

/** Takes a way out that is no link: at once, or once the person has been asked. */
export function leaveBy(way: Way): void {
  if (ask === null) way();
  else ask(way);
}

const pageOf = ({ pathname, search }: Location | URL) => `${pathname}${search}`;

/** The other page that a click leads to in this tab; null where it leads nowhere, or the browser itself asks. */
function pageBehind(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link?.href || !["", "_self"].includes(link.target) || link.hasAttribute("download")) return null;
  const to = new URL(link.href);
  if (to.origin !== window.location.origin || pageOf(to) === pageOf(window.location)) return null;
  return `${pageOf(to)}${to.hash}`;
}

/** Has every way out of the page ask first, until the guard is taken down. */
function standGuard(given: { ask: (way: Way) => void; open: (page: string) => void }): () => void {
  // Older browsers do not say where in the history a page stands: there, Back and Forward do not ask.
  const place = () => (window.navigation as Navigation | undefined)?.currentEntry?.index ?? 0;
  const page = pageOf(window.location);
  let home = place();
  const onClick = (event: MouseEvent) => {
    const to = pageBehind(event);
    if (to === null) return;
    // Next's links leave such a click alone, and what else the click does still happens: a sheet closes.
    event.preventDefault();
    given.ask(() => given.open(to));
  };
  const onStep = (event: Event) => {
    const steps = place() - home;
    if (pageOf(window.location) === page) home = place();
    else if (steps !== 0) {
      // The page stays, and so does its address.
      event.preventDefault();
      window.history.go(-steps);
      given.ask(() => window.history.go(steps));
    }
  };
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
  ask = given.ask;
  window.addEventListener("click", onClick, true);
  window.addEventListener(BEFORE_STEP, onStep);
  window.addEventListener("beforeunload", onUnload);
  return () => {
    ask = null;
    window.removeEventListener("click", onClick, true);
    window.removeEventListener(BEFORE_STEP, onStep);
    window.removeEventListener("beforeunload", onUnload);
  };
}

/**
 * While something typed on the page is not saved, the ways out wait for an answer: links, Back and Forward, and what
 * leaves by `leaveBy`, as the keys and the palette do. Before the tab closes or loads another page the browser asks.
 */
export function useLeaveGuard(isUnsaved: boolean) {
  const router = useRouter();
  const [way, setWay] = useState<Way | null>(null);
  const dismiss = useRef<() => void>(undefined);
  useEffect(() => {
    if (!isUnsaved) return;
    const stop = standGuard({ ask: (next) => setWay(() => next), open: (page) => router.push(page) });
    dismiss.current = stop;
    return stop;
  }, [isUnsaved, router]);
  return {
    isAsking: way !== null,
    stay: () => setWay(null),
    leave: () => {
      // At once: the way may load another page, and the browser would ask again.
      dismiss.current?.();
      setWay(null);
      way?.();
    },
  };
}
