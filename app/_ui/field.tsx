"use client";
import { useId, useState, type ComponentProps, type ReactNode } from "react";
import { Eye, EyeOff } from "./icons.tsx";

interface Frame {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

const CONTROL =
  "block min-h-11 w-full rounded-lg border bg-surface px-3 text-base text-ink placeholder:text-muted disabled:opacity-60 sm:min-h-10 sm:text-sm";

const border = (error: string | undefined) =>
  error === undefined ? "border-line-strong" : "border-red-700 dark:border-red-400";

function useFieldIds({ hint, error }: Frame) {
  const id = useId();
  const described = [hint === undefined ? "" : `${id}-hint`, error === undefined ? "" : `${id}-error`]
    .filter(Boolean)
    .join(" ");
  return {
    id,
    control: {
      id,
      "aria-invalid": error === undefined ? undefined : true,
      "aria-describedby": described === "" ? undefined : described,
    } as const,
  };
}

function FieldFrame({ id, label, hint, error, children }: Frame & { id: string; children: ReactNode }) {
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} aria-live="polite" className={error === undefined ? "sr-only" : "mt-1.5 text-sm text-loss"}>
        {error}
      </p>
    </div>
  );
}

export function TextField({ label, hint, error, className = "", ...rest }: Frame & ComponentProps<"input">) {
  const { id, control } = useFieldIds({ label, hint, error });
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input {...control} className={`${CONTROL} ${border(error)} ${className}`} {...rest} />
    </FieldFrame>
  );
}

export function TextArea({ label, hint, error, className = "", ...rest }: Frame & ComponentProps<"textarea">) {
  const { id, control } = useFieldIds({ label, hint, error });
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea {...control} className={`${CONTROL} py-2 ${border(error)} ${className}`} {...rest} />
    </FieldFrame>
  );
}

/** A password with show and hide. */
export function PasswordField({ label, hint, error, ...rest }: Frame & Omit<ComponentProps<"input">, "type">) {
  const { id, control } = useFieldIds({ label, hint, error });
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          {...control}
          type={isShown ? "text" : "password"}
          className={`${CONTROL} ${border(error)} pr-12`}
          {...rest}
        />
        <button
          type="button"
          aria-label={`${isShown ? "Hide" : "Show"} ${label.toLowerCase()}`}
          onClick={() => setShown(!isShown)}
          className="absolute inset-y-0 right-0 flex w-11 items-center justify-center rounded-lg text-muted hover:text-ink"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      </div>
    </FieldFrame>
  );
}

export function SelectField({
  label,
  hint,
  error,
  options,
  ...rest
}: Frame & ComponentProps<"select"> & { options: readonly { value: string; label: string }[] }) {
  const { id, control } = useFieldIds({ label, hint, error });
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select {...control} className={`${CONTROL} ${border(error)}`} {...rest}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
