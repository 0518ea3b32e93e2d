"use client";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

export interface MenuItem {
  label: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  onSelect: () => void;
}

/** Actions behind a button: `trigger` is the button. */
export function Menu({ trigger, items }: { trigger: ReactNode; items: readonly MenuItem[] }) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={12}
          className="z-40 min-w-44 rounded-lg border border-line bg-surface p-1 text-sm shadow-lg"
        >
          {items.map((item) => (
            <DropdownMenu.Item
              key={item.label}
              disabled={item.isDisabled ?? false}
              onSelect={item.onSelect}
              className={`flex min-h-11 items-center rounded-md px-3 outline-none data-disabled:opacity-50 data-highlighted:bg-sunken sm:min-h-9 ${item.isDanger === true ? "text-loss" : ""}`}
            >
              {item.label}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
