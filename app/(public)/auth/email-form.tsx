"use client";
import { useEffect, useState, type FormEvent } from "react";
import { CallError } from "@/lib/client/api.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { TextField } from "../../_ui/field.tsx";
import type { Sentence } from "./sentences.ts";

const CLOSES_AFTER_MS = 3000;

interface EmailFormProps {
  title: string;
  submitText: string;
  /** Resolves with the sentence of success; throws CallError. */
  send: (email: string) => Promise<string>;
  failureSentence: (failure: CallError) => Sentence;
  onBack: () => void;
}

/** One email address to send something to. After success the sentence shows and the form closes. */
export function EmailForm({ title, submitText, send, failureSentence, onBack }: EmailFormProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Sentence | null>(null);
  const [success, setSuccess] = useState<string | null>(null);

  useEffect(() => {
    if (success === null) return;
    const timer = setTimeout(onBack, CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [success, onBack]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email"));
    setBusy(true);
    setFailure(null);
    try {
      setSuccess(await send(email));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(failureSentence(error));
    }
    setBusy(false);
  }

  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <form onSubmit={(event) => void submit(event)} className="mt-6 flex flex-col gap-4">
        {success !== null && <Banner kind="success">{success}</Banner>}
        {failure !== null && (
          <Banner kind="failure" detail={failure.detail}>
            {failure.text}
          </Banner>
        )}
        <TextField name="email" type="email" label="Email" autoComplete="email" required />
        <Button type="submit" disabled={isBusy || success !== null}>
          {isBusy ? "Sending..." : submitText}
        </Button>
      </form>
      <p className="mt-6 text-sm">
        <TextButton onClick={onBack}>Back to login</TextButton>
      </p>
    </>
  );
}
