"use client";
import { useId } from "react";

interface SwitchFieldProps {
  label: string;
  hint?: string;
  isOn: boolean;
  isDisabled?: boolean;
  onChange: (isOn: boolean) => void;
}

/** Something that is on or off, with its name and what it does. */
export function SwitchField({ label, hint, isOn, isDisabled = false, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center justify-between gap-6">
      <div className="min-w-0">
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="mt-0.5 text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
      <button
        type="button"
        role="switch"
        id={id}
        aria-checked={isOn}
        aria-labelledby={`${id}-label`}
        disabled={isDisabled}
        onClick={() => onChange(!isOn)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="group relative h-6 w-11 shrink-0 rounded-full border border-line-strong bg-sunken transition-colors after:absolute after:-inset-2.5 disabled:opacity-60 aria-checked:border-accent aria-checked:bg-accent forced-colors:aria-checked:bg-[Highlight]"
      >
        <span className="block size-4 translate-x-1 rounded-full bg-muted transition-transform group-aria-checked:translate-x-5.5 group-aria-checked:bg-on-accent forced-colors:bg-[ButtonText] forced-colors:group-aria-checked:bg-[HighlightText]" />
      </button>
    </div>
  );
}
