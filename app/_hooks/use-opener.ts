"use client";
import { useRef } from "react";

const OVER_THE_PAGE = "[role=dialog], [role=alertdialog], [role=menu], [data-radix-focus-guard]";

/** What has the focus on the page itself, or had it before something opened over the page. */
let place: HTMLElement | null = null;
/** The card in which the focus was last. */
let card: Element | null = null;

if (typeof document !== "undefined") {
  const isOnPage = (target: EventTarget | null): target is HTMLElement =>
    target instanceof HTMLElement && target.closest(OVER_THE_PAGE) === null;
  document.addEventListener("focusin", ({ target }) => {
    if (!isOnPage(target)) return;
    place = target;
    card = target.closest("section");
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (!isOnPage(target) || relatedTarget !== null) return;
    // What was removed or disabled lost the focus by no act of the person, who looks for it there.
    queueMicrotask(() => {
      if (place === target && target.isConnected && !target.matches(":disabled")) place = null;
    });
  });
}

/** Whether it took the focus. */
function focusOn(element: HTMLElement | null): boolean {
  element?.focus();
  return element !== null && document.activeElement === element;
}

/** The heading of the card that was left, or the page's content: not the page's beginning. */
function focusNearby(): void {
  const heading = card?.isConnected === true ? card.querySelector("h2") : null;
  if (heading !== null) heading.tabIndex = -1;
  (heading ?? document.getElementById("content"))?.focus();
}

/**
 * For what opens without a trigger of its own: the focus goes back to where it was when it closes; to the place on the
 * page where what opened it is gone, as a choice of the palette is; and near it where that is gone too, as a row that was removed.
 */
export function useOpener() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: ({ currentTarget }: Event) => {
      const focused = document.activeElement;
      const isOpener = focused instanceof HTMLElement && focused !== document.body;
      opener.current = isOpener && !(currentTarget as Element).contains(focused) ? focused : place;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const had = opener.current ?? place;
      if (had !== null && !focusOn(opener.current) && !focusOn(place)) focusNearby();
    },
  };
}
