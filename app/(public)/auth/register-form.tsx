"use client";
import { useState } from "react";
import { PASSWORD_HINT } from "@/lib/contracts/auth-calls.ts";
import { register } from "../../_hooks/use-session.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { PasswordField, TextField } from "../../_ui/field.tsx";
import { FormFailure, Heading, Submit, ViewForm } from "./form-parts.tsx";
import { PasswordChecklist } from "./password-checklist.tsx";
import { registerSentence, type Sentence } from "./sentences.ts";
import type { Draft } from "./use-draft.ts";
import { useSubmission } from "./use-submission.ts";

const LINK = "rounded-sm font-medium text-accent underline-offset-4 hover:underline";

interface RegisterFormProps {
  draft: Draft;
  onSignIn: () => void;
  onResend: () => void;
}

type Texts = Readonly<Record<string, string>>;

/** What was changed since it was sent may be right now. */
const unchanged = (issues: Texts, entries: Texts, sent: Texts): Texts =>
  Object.fromEntries(Object.entries(issues).filter(([name]) => entries[name] === sent[name]));

export function RegisterForm({ draft, onSignIn, onResend }: RegisterFormProps) {
  const { isBusy, failure, submit } = useSubmission(registerSentence);
  const [isDone, setDone] = useState(false);
  const [sent, setSent] = useState<Texts>({});
  const { email, password, confirmPassword, firstName, lastName } = draft.entries;
  const isMismatch = confirmPassword !== "" && confirmPassword !== password;
  const issues = unchanged(failure?.fields ?? {}, draft.entries, sent);

  async function signUp() {
    if (password !== confirmPassword) return;
    setSent(draft.entries);
    const outcome = await register({ firstName, lastName, email, password });
    draft.clear();
    setDone(outcome === "check-email");
  }

  if (isDone) return <CheckEmail email={email} onSignIn={onSignIn} onResend={onResend} />;
  return (
    <>
      <ViewForm heading="Create your account" onSubmit={(event) => void submit(event, signUp)}>
        <FormFailure failure={failure} />
        <NameFields draft={draft} issues={issues} />
        <TextField
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          required
          error={issues.email}
          {...draft.bind("email")}
        />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="new-password"
          required
          hint={issues.password === PASSWORD_HINT ? undefined : PASSWORD_HINT}
          error={issues.password}
          {...draft.bind("password")}
        />
        <PasswordChecklist password={password} />
        <PasswordField
          name="confirmPassword"
          label="Confirm password"
          autoComplete="new-password"
          required
          error={isMismatch ? "Passwords do not match" : undefined}
          {...draft.bind("confirmPassword")}
        />
        <Submit isBusy={isBusy} busyText="Creating your account..." isDisabled={isMismatch}>
          Sign Up
        </Submit>
        <p className="text-sm text-muted">
          By signing up you agree to the{" "}
          <a href="/terms-of-service" target="_blank" rel="noopener noreferrer" className={LINK}>
            Terms of Service
          </a>{" "}
          and the{" "}
          <a href="/privacy-policy" target="_blank" rel="noopener noreferrer" className={LINK}>
            Privacy Policy
          </a>
          . You must be 18 or older to use Tradewind.
        </p>
      </ViewForm>
      <p className="mt-6 text-sm text-muted">
        Already have an account? <TextButton onClick={onSignIn}>Sign in</TextButton>
      </p>
    </>
  );
}

function NameFields({ draft, issues }: { draft: Draft; issues: NonNullable<Sentence["fields"]> }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        name="firstName"
        label="First name"
        autoComplete="given-name"
        required
        maxLength={80}
        error={issues.firstName}
        {...draft.bind("firstName")}
      />
      <TextField
        name="lastName"
        label="Last name"
        autoComplete="family-name"
        required
        maxLength={80}
        error={issues.lastName}
        {...draft.bind("lastName")}
      />
    </div>
  );
}

interface CheckEmailProps extends Pick<RegisterFormProps, "onSignIn" | "onResend"> {
  email: string;
}

function CheckEmail({ email, onSignIn, onResend }: CheckEmailProps) {
  return (
    <div className="flex flex-col gap-6">
      <Heading takesFocus>Check your email</Heading>
      <Banner kind="success">Please check your email and click the verification link to activate your account.</Banner>
      <p className="text-sm wrap-anywhere text-muted">The email goes to {email}.</p>
      <Button tone="secondary" className="w-full" onClick={onSignIn}>
        Go to sign in
      </Button>
      <p className="text-sm">
        <TextButton onClick={onResend}>Resend verification email?</TextButton>
      </p>
    </div>
  );
}
