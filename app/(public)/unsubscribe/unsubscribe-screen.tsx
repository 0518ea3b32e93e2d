"use client";
import { CircleX, MailCheck, MailX, type LucideIcon } from "lucide-react";
import { useState, type ReactNode } from "react";
import { call, CallError } from "@/lib/client/api.ts";
import { kindOfToken, notificationsApi, UNSUBSCRIBE_LABELS } from "@/lib/contracts/notifications.ts";
import { Button, PlainButtonLink } from "../../_ui/button.tsx";

/** Opening the link does nothing, so that a mail scanner switches nothing off; the button does. */
export function UnsubscribeScreen({ token }: { token: string }) {
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const [failure, setFailure] = useState<CallError | null>(null);
  const kind = kindOfToken(token);

  async function switchOff() {
    setBusy(true);
    setFailure(null);
    try {
      await call(notificationsApi.unsubscribe, { token });
      setDone(true);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  if (kind === null || failure?.status === 400) {
    return (
      <Note
        Icon={CircleX}
        look="text-loss"
        title="This link is not valid"
        text="Sign in and switch these emails off under Settings, Notifications."
      >
        <PlainButtonLink href="/settings?tab=notifications">Open settings</PlainButtonLink>
      </Note>
    );
  }
  const subject = UNSUBSCRIBE_LABELS[kind];
  if (isDone) {
    return (
      <Note
        Icon={MailCheck}
        look="text-gain"
        title="Switched off"
        text={`You will no longer get ${subject}, neither by email nor in the product. You can switch them on again under Settings, Notifications.`}
      >
        <PlainButtonLink href="/settings?tab=notifications" tone="secondary">
          Open settings
        </PlainButtonLink>
      </Note>
    );
  }
  return (
    <Note
      Icon={MailX}
      look="text-accent"
      title="Unsubscribe"
      text={`Do you want to switch off ${subject}? You still get emails about the security of your account.`}
    >
      <Button disabled={isBusy} onClick={() => void switchOff()}>
        {isBusy ? "Switching off..." : `Switch off ${subject}`}
      </Button>
      {failure !== null && (
        <p role="alert" className="text-sm text-loss">
          {failure.message}
        </p>
      )}
    </Note>
  );
}

interface NoteProps {
  Icon: LucideIcon;
  look: string;
  title: string;
  text: string;
  children: ReactNode;
}

function Note({ Icon, look, title, text, children }: NoteProps) {
  return (
    <div className="mx-auto w-full max-w-md px-4 py-6 sm:py-12">
      <div className="flex flex-col gap-4 rounded-2xl border border-line bg-surface p-6 sm:p-8">
        <Icon aria-hidden className={`size-8 ${look}`} strokeWidth={1.75} />
        <div aria-live="polite">
          <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
          <p className="mt-2 text-muted">{text}</p>
        </div>
        {children}
      </div>
    </div>
  );
}
