"use client";
import { useEffect, useState } from "react";
import type { CallError } from "@/lib/client/api.ts";
import { Banner } from "../../_ui/banner.tsx";
import { TextButton } from "../../_ui/button.tsx";
import { TextField } from "../../_ui/field.tsx";
import { FormFailure, Submit, ViewForm } from "./form-parts.tsx";
import type { Sentence } from "./sentences.ts";
import type { Draft } from "./use-draft.ts";
import { useSubmission } from "./use-submission.ts";

const CLOSES_AFTER_MS = 3000;

interface EmailFormProps {
  title: string;
  submitText: string;
  draft: Draft;
  /** Resolves with the sentence of success; throws CallError. */
  send: (email: string) => Promise<string>;
  failureSentence: (failure: CallError) => Sentence;
  onBack: () => void;
}

/** One email address to send something to. After success the sentence shows and the form closes. */
export function EmailForm(props: EmailFormProps) {
  const { title, submitText, draft, send, failureSentence, onBack } = props;
  const { isBusy, failure, submit } = useSubmission(failureSentence);
  const [success, setSuccess] = useState<string | null>(null);

  useEffect(() => {
    if (success === null) return;
    const timer = setTimeout(onBack, CLOSES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [success, onBack]);

  async function ask() {
    // What was sent needs no second mail while the form closes.
    if (success === null) setSuccess(await send(draft.entries.email));
  }

  return (
    <>
      <ViewForm heading={title} onSubmit={(event) => void submit(event, ask)}>
        {success !== null && <Banner kind="success">{success}</Banner>}
        <FormFailure failure={failure} />
        <TextField name="email" type="email" label="Email" autoComplete="email" required {...draft.bind("email")} />
        <Submit isBusy={isBusy || success !== null} busyText={success === null ? "Sending..." : "Sent"}>
          {submitText}
        </Submit>
      </ViewForm>
      <p className="mt-6 text-sm">
        <TextButton onClick={onBack}>Back to login</TextButton>
      </p>
    </>
  );
}
