"use client";
import { useState, type ChangeEvent } from "react";

const EMPTY = { email: "", loginPassword: "", firstName: "", lastName: "", password: "", confirmPassword: "" };

type Entry = keyof typeof EMPTY;

/** What was typed on the sign-in page. It outlives the views: changing between them loses nothing. */
export function useDraft() {
  const [entries, setEntries] = useState(EMPTY);
  return {
    entries,
    /** Binds an input to its entry. */
    bind: (name: Entry) => ({
      value: entries[name],
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        const { value } = event.target;
        setEntries((before) => ({ ...before, [name]: value }));
      },
    }),
    /** Once a form was accepted, what it held is not kept; the address is of use in the next one. */
    clear: () => setEntries(({ email }) => ({ ...EMPTY, email })),
  };
}

export type Draft = ReturnType<typeof useDraft>;
