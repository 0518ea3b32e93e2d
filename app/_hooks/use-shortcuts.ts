"use client";
import { useEffect, useRef, useSyncExternalStore } from "react";

const KEY = "shortcuts_off";
const SEQUENCE_MS = 1200;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): boolean {
  try {
    return window.localStorage.getItem(KEY) !== "true";
  } catch {
    return true;
  }
}

/** Keys without Ctrl or Cmd can be switched off: speech input and cramped hands press them by accident. */
export function useShortcutsSwitch() {
  const isOn = useSyncExternalStore(subscribe, read, () => true);
  function choose(next: boolean) {
    try {
      window.localStorage.setItem(KEY, String(!next));
    } catch {
      // A browser that keeps nothing leaves them on.
    }
    for (const listener of listeners) listener();
  }
  return { isOn, choose };
}

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select, [role=combobox], [role=textbox]") !== null);

const SEARCH = "main [data-search], main input[type=search], main input[placeholder='e.g. AAPL']";

interface Actions {
  onPalette: () => void;
  onHelp: () => void;
  /** What the letter after "g" opens; nothing where it has no page. */
  onGo: (letter: string) => void;
}

/** Ctrl or Cmd and K anywhere; "/", "g" and a letter, and "?" where nobody is typing and no dialog is open. */
export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    let waitsSince = -Infinity;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        return latest.current.onPalette();
      }
      if (event.metaKey || event.ctrlKey || event.altKey || event.repeat || !read()) return;
      if (isField(event.target) || document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return;
      const isSecond = event.timeStamp - waitsSince < SEQUENCE_MS;
      waitsSince = -Infinity;
      if (isSecond) return latest.current.onGo(event.key.toLowerCase());
      if (event.key === "g") waitsSince = event.timeStamp;
      else if (event.key === "?") latest.current.onHelp();
      else if (event.key === "/") {
        const search = document.querySelector<HTMLElement>(SEARCH);
        if (search === null) return;
        event.preventDefault();
        search.focus();
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
