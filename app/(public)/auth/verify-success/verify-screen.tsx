"use client";
import { CircleCheck, CircleX, MailCheck } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { call, CallError } from "@/lib/client/api.ts";
import { rememberNotice } from "@/lib/client/storage.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { useIsRunning } from "../../../_hooks/use-is-running.ts";
import { useSession } from "../../../_hooks/use-session.ts";
import { Banner } from "../../../_ui/banner.tsx";
import { Button } from "../../../_ui/button.tsx";
import { ButtonLink } from "../../../_ui/button-link.tsx";
import { Result } from "../result.tsx";
import { useIsOpen } from "../use-is-open.ts";

function useVerification() {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [hasTried, setTried] = useState(false);

  async function verify(opened: string) {
    if (isBusy) return;
    setBusy(true);
    setTried(true);
    setFailure(null);
    try {
      const { resetToken } = await call(authCalls.verifyEmail, { token: opened });
      // In the address, so that who comes back or loads the page again is still asked for the password that they need.
      const reset = resetToken === null ? "" : `&reset=${encodeURIComponent(resetToken)}`;
      router.replace(`/auth/verify-success?verified=true${reset}`);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // The link is used up only when the server says so; anything else is worth another try.
      if (error.status >= 400 && error.status < 500 && error.status !== 429)
        router.replace("/auth/verify-success?verified=false");
      else setFailure(error.message);
      setBusy(false);
    }
  }

  return { isBusy, failure, hasTried, verify };
}

interface VerifyScreenProps {
  token: string | null;
  isVerified: boolean;
  /** Chooses a password where the stored one has ended. */
  resetToken: string | null;
}

/**
 * With a token from a mail, a button that uses it: opening the link alone does nothing, so that a mail
 * scanner cannot use it up. Without one, the result.
 */
export function VerifyScreen({ token, isVerified, resetToken }: VerifyScreenProps) {
  const session = useSession();
  const isRunning = useIsRunning();
  const router = useRouter();
  const { isBusy, failure, hasTried, verify } = useVerification();

  const isOpen = useIsOpen(resetToken);
  const isChosen = resetToken === null || isOpen === false;

  useEffect(() => {
    if (isVerified && isChosen && session.status === "signed-in" && session.user.emailVerified)
      router.replace("/dashboard");
  }, [isVerified, isChosen, session, router]);

  if (token !== null) {
    return (
      <Result
        Icon={MailCheck}
        look="text-accent"
        title="Verify your email"
        text="One click, and your account is ready."
      >
        {failure !== null && <Banner kind="failure">{failure}</Banner>}
        <Button
          aria-disabled={isBusy || !isRunning}
          onClick={() => void verify(token)}
          className="aria-disabled:cursor-progress aria-disabled:opacity-60"
        >
          {isBusy ? "Verifying..." : "Verify my email"}
        </Button>
      </Result>
    );
  }
  if (isVerified && resetToken !== null && !isChosen) return <ChoosePassword resetToken={isOpen ? resetToken : null} />;
  if (isVerified)
    return (
      <Verified
        isSignedOut={session.status === "signed-out"}
        hadLink={resetToken !== null}
        takesFocus={hasTried || resetToken !== null}
      />
    );
  return (
    <Result
      Icon={CircleX}
      look="text-loss"
      title="Verification Failed"
      text="The verification link is invalid or has expired. Please request a new verification email."
      takesFocus={hasTried}
    >
      <ButtonLink href="/auth">Go to Login</ButtonLink>
      <ButtonLink href="/auth?view=resend" tone="secondary">
        Request a new verification email
      </ButtonLink>
    </Result>
  );
}

interface VerifiedProps {
  isSignedOut: boolean;
  /** There was a link to choose a password by, which is used up or has expired. */
  hadLink: boolean;
  takesFocus: boolean;
}

function Verified({ isSignedOut, hadLink, takesFocus }: VerifiedProps) {
  return (
    <Result
      Icon={CircleCheck}
      look="text-gain"
      title="Email Verified Successfully!"
      text={`Your account is ready.${hadLink ? " If you have not chosen a password yet, ask for a link to choose one." : ""}`}
      takesFocus={takesFocus}
    >
      <ButtonLink href="/dashboard" prefetch={false} onClick={() => isSignedOut && rememberNotice("verified")}>
        Continue to Dashboard
      </ButtonLink>
      {hadLink && (
        <ButtonLink href="/auth?view=forgot" tone="secondary">
          Choose a new password
        </ButtonLink>
      )}
    </Result>
  );
}

/** The first registration of the address may have been a stranger's. Null until it is known that the link still opens. */
function ChoosePassword({ resetToken }: { resetToken: string | null }) {
  return (
    <Result
      Icon={CircleCheck}
      look="text-gain"
      title="Email Verified Successfully!"
      text={
        resetToken === null
          ? "One moment..."
          : "This address was registered more than once, so the password of the first registration no longer works. Choose your own to sign in."
      }
      takesFocus
    >
      {resetToken !== null && (
        <ButtonLink href={`/auth/reset-password?token=${encodeURIComponent(resetToken)}`} prefetch={false}>
          Choose Your Password
        </ButtonLink>
      )}
    </Result>
  );
}
