"use client";
import { Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";

/** The icon is chosen by CSS, so that server and browser render the same. */
export function ThemeToggle() {
  const { resolvedTheme, setTheme } = useTheme();
  return (
    <button
      type="button"
      aria-label="Switch between light and dark"
      onClick={() => setTheme(resolvedTheme === "dark" ? "light" : "dark")}
      className="flex size-11 items-center justify-center rounded-lg text-muted hover:bg-sunken hover:text-ink sm:size-9"
    >
      <Moon aria-hidden className="size-4 dark:hidden" />
      <Sun aria-hidden className="hidden size-4 dark:block" />
    </button>
  );
}
