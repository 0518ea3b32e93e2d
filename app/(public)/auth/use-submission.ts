"use client";
import { useState, type FormEvent } from "react";
import { CallError } from "@/lib/client/api.ts";
import type { Sentence } from "./sentences.ts";

/** A form on its way to the server: one at a time, and afterwards the focus is where the person can mend it. */
export function useSubmission(sentenceOf: (failure: CallError) => Sentence) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Sentence | null>(null);

  function refuse(form: HTMLFormElement, sentence: Sentence): void {
    setFailure(sentence);
    const field = sentence.field === undefined ? null : form.elements.namedItem(sentence.field);
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    field.select();
  }

  /** `check` looks at the entries before anything is sent. `work` throws CallError. */
  async function submit(
    event: FormEvent<HTMLFormElement>,
    work: () => Promise<void>,
    check: () => Sentence | null = () => null,
  ): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const problem = check();
    if (problem !== null) return refuse(form, problem);
    setFailure(null);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      refuse(form, sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return { isBusy, failure, submit };
}
