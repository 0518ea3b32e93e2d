"use client";
import { useEffect } from "react";

const MARK = "LIVE · ";

/** Puts LIVE before the title of the tab, whatever page comes, while real money is connected. */
export function useLiveMark(isLive: boolean): void {
  useEffect(() => {
    if (!isLive) return;
    const mark = () => {
      if (!document.title.startsWith(MARK)) document.title = `${MARK}${document.title}`;
    };
    mark();
    const watch = new MutationObserver(mark);
    watch.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      watch.disconnect();
      if (document.title.startsWith(MARK)) document.title = document.title.slice(MARK.length);
    };
  }, [isLive]);
}
