"use client";
import { switchTheme } from "../_hooks/use-theme.ts";
import { Moon, Sun } from "./icons.tsx";

/** The icon is chosen by CSS, so that server and browser render the same. */
export function ThemeToggle() {
  return (
    <button
      type="button"
      aria-label="Switch between light and dark"
      onClick={switchTheme}
      className="flex size-11 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink sm:size-9"
    >
      <Moon aria-hidden className="size-4 dark:hidden" />
      <Sun aria-hidden className="hidden size-4 dark:block" />
    </button>
  );
}
