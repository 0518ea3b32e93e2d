"use client";
import { useShortcutsSwitch } from "../_hooks/use-shortcuts.ts";
import { Dialog } from "./dialog.tsx";
import type { NavLink } from "./nav-links.ts";
import { SwitchField } from "./switch-field.tsx";

const KEYS = [
  { keys: ["⌘ K", "Ctrl K"], does: "Search pages, symbols and actions" },
  { keys: ["/"], does: "Search this page, or everything" },
  { keys: ["?"], does: "This list" },
  { keys: ["Esc"], does: "Close what is open" },
] as const;

/** The keys of every page. */
export function Shortcuts({ links, onClose }: { links: readonly NavLink[]; onClose: () => void }) {
  const { isOn, choose } = useShortcutsSwitch();
  const rows = [...KEYS, ...links.map(({ label, letter }) => ({ keys: [`g ${letter}`], does: label }))];
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts" description="They are off while you type in a field.">
      <dl className="grid max-h-[50dvh] grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 overflow-y-auto text-sm">
        {rows.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="rounded-md border border-line-strong bg-sunken px-1.5 py-0.5 font-sans text-xs whitespace-nowrap"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <SwitchField label="Single keys" hint="Off: only the ones with Ctrl or ⌘ work." isOn={isOn} onChange={choose} />
    </Dialog>
  );
}
