"use client";
import Link from "next/link";
import { useState, type FormEvent } from "react";
import { call, CallError } from "@/lib/client/api.ts";
import { authCalls, PASSWORD_HINT } from "@/lib/contracts/auth-calls.ts";
import { useIsRunning } from "../../../_hooks/use-is-running.ts";
import { endSession } from "../../../_hooks/use-session.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { PasswordField } from "../../../_ui/field.tsx";
import { FormFailure, Submit, ViewForm } from "../form-parts.tsx";
import { resetProblem, resetSentence } from "../sentences.ts";
import { useIsOpen } from "../use-is-open.ts";
import { useSubmission } from "../use-submission.ts";

export function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { isBusy, failure, submit } = useSubmission(resetSentence);
  // The server makes this form too: until the browser runs it, sending it would put the password into the address.
  const isRunning = useIsRunning();
  const [isRefused, setRefused] = useState(false);
  // Said before a password is typed.
  const isDead = useIsOpen(token) === false || isRefused;
  const issues = failure?.fields ?? {};

  function send(event: FormEvent<HTMLFormElement>) {
    const entered = new FormData(event.currentTarget);
    const password = String(entered.get("newPassword"));
    const confirmation = String(entered.get("confirmPassword"));
    const reset = async () => {
      try {
        await call(authCalls.resetPassword, { token, newPassword: password });
      } catch (error) {
        if (refusesLink(error)) setRefused(true);
        throw error;
      }
      // The sign-in that this browser may still hold has ended too.
      endSession();
      onDone();
    };
    void submit(event, reset, () => resetProblem({ token, password, confirmation }));
  }

  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <div className="rounded-2xl border border-line bg-surface p-6 sm:p-8">
        <ViewForm heading="Choose a new password" onSubmit={send}>
          {isDead && (
            <Banner
              kind="warning"
              action={
                <Link href="/auth?view=forgot" className="tap font-medium underline underline-offset-4">
                  Request a new link
                </Link>
              }
            >
              This link was used or has expired.
            </Banner>
          )}
          <FormFailure failure={failure} />
          <PasswordField
            name="newPassword"
            label="New password"
            autoComplete="new-password"
            required
            hint={issues.newPassword === PASSWORD_HINT ? undefined : PASSWORD_HINT}
            error={issues.newPassword}
          />
          <PasswordField
            name="confirmPassword"
            label="Confirm new password"
            autoComplete="new-password"
            required
            error={issues.confirmPassword}
          />
          <Submit isBusy={isBusy} busyText="Resetting..." isDisabled={!isRunning}>
            Reset Password
          </Submit>
        </ViewForm>
        <p className="mt-6 text-sm">
          <Link
            href="/auth"
            className="tap inline-flex min-h-6 items-center rounded-sm font-medium text-accent underline-offset-4 hover:underline"
          >
            Back to Login
          </Link>
        </p>
      </div>
    </div>
  );
}

/** A refusal that another password does not mend: of the link, and not of what was typed. */
const refusesLink = (error: unknown) =>
  error instanceof CallError &&
  (error.status === 404 || (error.status === 400 && error.issues.every(({ path }) => path === "token")));
