"use client";
import { Tabs as Primitive } from "radix-ui";
import { useDeferredValue, type ComponentProps, type ReactNode } from "react";
import { useChosenInView } from "../_hooks/use-chosen-in-view.ts";

export interface Tab<T extends string> {
  value: T;
  label: string;
  content: ReactNode;
}

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly Tab<T>[];
  value: T;
  onChange: (value: T) => void;
}

/** Without the styles that the library writes into the markup: the page's policy stops them in a document. */
const Unstyled = ({ style: _, ...props }: ComponentProps<"div">) => <div {...props} />;

/** Tabs; only what the chosen one holds is in the document. On a phone the row of tabs scrolls sideways. */
export function Tabs<T extends string>({ label, tabs, value, onChange }: TabsProps<T>) {
  // The press shows at once; what the tab holds may be long, and comes after it.
  const shown = useDeferredValue(value);
  const list = useChosenInView<HTMLDivElement>('[data-state="active"]', value);
  return (
    // By Enter or Space, not by focus: a dialog that closes gives the focus back to a tab, which chooses nothing.
    <Primitive.Root value={value} onValueChange={(next) => onChange(next as T)} activationMode="manual">
      <Primitive.List asChild aria-label={label}>
        <Unstyled
          ref={list}
          className="-mx-4 flex overflow-x-auto border-b border-line px-4 outline-none sm:mx-0 sm:px-0"
        >
          {tabs.map((tab) => (
            <Primitive.Trigger
              key={tab.value}
              value={tab.value}
              className="relative min-h-11 px-3 text-sm whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-3 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:bg-accent"
            >
              {tab.label}
            </Primitive.Trigger>
          ))}
        </Unstyled>
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} value={tab.value} asChild forceMount>
          <Unstyled hidden={tab.value !== shown} className="pt-5 outline-none">
            {tab.value === shown && tab.content}
          </Unstyled>
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
