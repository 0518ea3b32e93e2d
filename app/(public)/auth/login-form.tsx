"use client";
import { SIGN_IN_NOTICES, type SignInNotice } from "@/lib/client/storage.ts";
import { login, type AwaitedFactor } from "../../_hooks/use-session.ts";
import { Banner } from "../../_ui/banner.tsx";
import { TextButton } from "../../_ui/button.tsx";
import { PasswordField, TextField } from "../../_ui/field.tsx";
import { FormFailure, Submit, ViewForm } from "./form-parts.tsx";
import { loginSentence } from "./sentences.ts";
import type { Draft } from "./use-draft.ts";
import { useSubmission } from "./use-submission.ts";

interface LoginFormProps {
  draft: Draft;
  /** Why the person is here, where there is something to say. */
  notice: SignInNotice | null;
  /** The password is right, and a second factor is missing. */
  onSecondFactor: (awaited: AwaitedFactor) => void;
  onSignUp: () => void;
  onForgot: () => void;
  onResend: () => void;
}

export function LoginForm({ draft, notice, onSecondFactor, onSignUp, onForgot, onResend }: LoginFormProps) {
  const { isBusy, failure, submit } = useSubmission(loginSentence);

  async function signIn() {
    const awaited = await login({ email: draft.entries.email, password: draft.entries.loginPassword });
    draft.clear();
    if (awaited !== null) onSecondFactor(awaited);
  }

  return (
    <>
      <ViewForm heading="Sign in to Tradewind" onSubmit={(event) => void submit(event, signIn)}>
        {notice !== null && failure === null && (
          <Banner kind={SIGN_IN_NOTICES[notice].kind}>{SIGN_IN_NOTICES[notice].text}</Banner>
        )}
        <FormFailure failure={failure} />
        <TextField name="email" type="email" label="Email" autoComplete="username" required {...draft.bind("email")} />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          {...draft.bind("loginPassword")}
        />
        <Submit isBusy={isBusy} busyText="Signing in...">
          Sign In
        </Submit>
      </ViewForm>
      <div className="mt-6 flex flex-col items-start gap-3 text-sm">
        <TextButton onClick={onForgot}>Forgot your password?</TextButton>
        <TextButton onClick={onResend}>Resend verification email?</TextButton>
        <p className="text-muted">
          New to Tradewind? <TextButton onClick={onSignUp}>Sign up</TextButton>
        </p>
      </div>
    </>
  );
}
