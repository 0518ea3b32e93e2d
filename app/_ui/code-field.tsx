"use client";
import type { Ref } from "react";
import { TextField } from "./field.tsx";

const DIGITS = 6;

interface CodeFieldProps {
  value: string;
  error: string | undefined;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (digits: string) => void;
  /** Called with the sixth digit, typed or pasted. */
  onComplete: (digits: string) => void;
}

/** The code of an authenticator app. What is pasted may hold blanks. */
export function CodeField({ value, error, inputRef, onChange, onComplete }: CodeFieldProps) {
  return (
    <TextField
      ref={inputRef}
      name="code"
      label="Code from your authenticator app"
      hint="Six digits. The app shows a new code every 30 seconds."
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      value={value}
      error={error}
      className="text-lg tracking-[0.3em] tabular-nums sm:text-lg"
      onChange={(event) => {
        const digits = event.target.value.replace(/\D/g, "").slice(0, DIGITS);
        onChange(digits);
        if (digits.length === DIGITS && digits !== value) onComplete(digits);
      }}
    />
  );
}
