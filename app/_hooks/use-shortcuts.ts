"use client";
import { useEffect, useRef } from "react";
import { browserChoice } from "./browser-choice.ts";

const SEQUENCE_MS = 1200;

/** Keys without Ctrl or Cmd can be switched off: speech input and cramped hands press them by accident. */
const off = browserChoice("shortcuts_off", ["false", "true"]);

/** Whether the keys work that are pressed alone. */
export const useShortcutsSwitch = () => ({
  isOn: off.useChosen() === "false",
  choose: (isOn: boolean) => off.choose(isOn ? "false" : "true"),
});

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest("input, textarea, select, [role=combobox], [role=textbox]") !== null);

/** The field of a page that "/" leads to. */
const SEARCH = "main [data-search]";

interface Actions {
  onPalette: () => void;
  onHelp: () => void;
  /** What the letter after "g" opens; nothing where it has no page. */
  onGo: (letter: string) => void;
}

/** Ctrl or Cmd and K anywhere; "/", "g" and a letter, and "?" where no field has focus and no dialog is open. */
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
      if (event.metaKey || event.ctrlKey || event.altKey || event.repeat || off.read() === "true") return;
      if (isField(event.target) || document.querySelector("[role=dialog], [role=alertdialog], [role=menu]")) return;
      const isSecond = event.timeStamp - waitsSince < SEQUENCE_MS;
      waitsSince = -Infinity;
      if (isSecond) return latest.current.onGo(event.key.toLowerCase());
      if (event.key === "g") waitsSince = event.timeStamp;
      else if (event.key === "?") latest.current.onHelp();
      else if (event.key === "/") {
        event.preventDefault();
        const search = document.querySelector<HTMLInputElement>(SEARCH);
        if (search === null) return latest.current.onPalette();
        search.focus();
        search.select();
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
