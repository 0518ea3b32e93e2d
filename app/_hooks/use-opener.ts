"use client";
import { useRef } from "react";

const OVER_THE_PAGE = "[role=dialog], [role=alertdialog], [role=menu], [data-radix-focus-guard]";

/** What has the focus on the page itself, or had it before something opened over the page. */
let place: HTMLElement | null = null;

if (typeof document !== "undefined") {
  const isOnPage = (target: EventTarget | null): target is HTMLElement =>
    target instanceof HTMLElement && target.closest(OVER_THE_PAGE) === null;
  document.addEventListener("focusin", ({ target }) => {
    if (isOnPage(target)) place = target;
  });
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (isOnPage(target) && relatedTarget === null) place = null;
  });
}

/**
 * For what opens without a trigger of its own: the focus goes back to where it was when it closes; to the place on the
 * page where what opened it is gone, as a choice of the palette is.
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
      (opener.current?.isConnected === true ? opener.current : place)?.focus();
    },
  };
}
