"use client";
import { useState, type FormEvent } from "react";
import { CallError } from "@/lib/client/api.ts";
import { PASSWORD_HINT } from "@/lib/contracts/auth.ts";
import { register } from "../../_hooks/use-session.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { PasswordField, TextField } from "../../_ui/field.tsx";
import { registerSentence, type Sentence } from "./sentences.ts";

export function RegisterForm({ onSignIn, onResend }: { onSignIn: () => void; onResend: () => void }) {
  const [password, setPassword] = useState("");
  const [confirmation, setConfirmation] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Sentence | null>(null);
  const [issues, setIssues] = useState<Record<string, string>>({});
  const [isDone, setDone] = useState(false);
  const isMismatch = confirmation !== "" && confirmation !== password;

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (password !== confirmation) return;
    const entered = new FormData(event.currentTarget);
    const field = (name: string) => String(entered.get(name));
    setBusy(true);
    setFailure(null);
    setIssues({});
    try {
      const outcome = await register({
        firstName: field("firstName"),
        lastName: field("lastName"),
        email: field("email"),
        password,
      });
      setDone(outcome === "check-email");
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(registerSentence(error));
      setIssues(Object.fromEntries(error.issues.map((issue) => [issue.path, issue.message])));
    }
    setBusy(false);
  }

  if (isDone) {
    return (
      <>
        <h1 className="mb-6 text-2xl font-semibold tracking-tight">Check your email</h1>
        <Banner kind="success">
          Please check your email and click the verification link to activate your account.
        </Banner>
        <Button tone="secondary" className="mt-6 w-full" onClick={onSignIn}>
          Go to sign in
        </Button>
        <p className="mt-4 text-sm">
          <TextButton onClick={onResend}>Resend verification email?</TextButton>
        </p>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Create your account</h1>
      <form onSubmit={(event) => void submit(event)} className="mt-6 flex flex-col gap-4">
        {failure !== null && (
          <Banner kind="failure" detail={failure.detail}>
            {failure.text}
          </Banner>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="firstName"
            label="First name"
            autoComplete="given-name"
            required
            maxLength={80}
            error={issues.firstName}
          />
          <TextField
            name="lastName"
            label="Last name"
            autoComplete="family-name"
            required
            maxLength={80}
            error={issues.lastName}
          />
        </div>
        <TextField name="email" type="email" label="Email" autoComplete="email" required error={issues.email} />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="new-password"
          required
          hint={PASSWORD_HINT}
          error={issues.password === PASSWORD_HINT ? undefined : issues.password}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <PasswordField
          name="confirmPassword"
          label="Confirm password"
          autoComplete="new-password"
          required
          error={isMismatch ? "Passwords do not match" : undefined}
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
        />
        <Button type="submit" disabled={isBusy || isMismatch} className="mt-2">
          {isBusy ? "Creating your account..." : "Sign Up"}
        </Button>
      </form>
      <p className="mt-6 text-sm text-muted">
        Already have an account? <TextButton onClick={onSignIn}>Sign in</TextButton>
      </p>
      <p className="mt-3 text-sm text-muted">You must be 18 or older to use Tradewind.</p>
    </>
  );
}
