"use client";
import { type FormEvent } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { PushCard } from "./push-card.tsx";
import { QuietHoursCard } from "./quiet-hours-card.tsx";
import { WebhookCard } from "./webhook-card.tsx";
import { failed, succeeded, type TabProps } from "./save-note.ts";
import { useDraft } from "./use-draft.ts";
import { useRetryOnOpen } from "./use-preferences.ts";

type Wanted = Answer<typeof preferencesApi.readNotifications>;

const TOGGLES: { name: keyof Wanted; label: string; hint: string }[] = [
  { name: "emailNotifications", label: "Email Notifications", hint: "When off, none of the emails below are sent." },
  { name: "orderNotifications", label: "Order Notifications", hint: "Orders sent, rejected or cancelled." },
  { name: "tradeNotifications", label: "Trade Notifications", hint: "Fills, with price and reason." },
  { name: "weeklySummary", label: "Weekly Summary", hint: "Your week in figures, once a week." },
  { name: "systemAlerts", label: "System Alerts", hint: "Automation stopped, keys refused, an account on hold." },
];

export function NotificationsTab(props: TabProps) {
  const wanted = props.preferences.notifications;
  useRetryOnOpen(wanted);
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <Card title="Notifications">
        {wanted.failure !== null && (
          <FailureNote text="Failed to load preferences" detail={wanted.failure.message} onRetry={wanted.retry} />
        )}
        {wanted.data === undefined && wanted.failure === null && <Skeleton className="h-72" />}
        {wanted.data !== undefined && <NotificationsForm {...props} saved={wanted.data} />}
      </Card>
      <QuietHoursCard />
      <PushCard />
      <WebhookCard />
      <DeliveriesCard />
    </div>
  );
}

function NotificationsForm({ onNote, onUnsaved, preferences, saved }: TabProps & { saved: Wanted }) {
  const { entered, kept, enter, keep } = useDraft(saved, onUnsaved);
  const saving = useAction(preferencesApi.saveNotifications, { refreshes: [preferencesApi.readNotifications] });

  function submit(event: FormEvent) {
    event.preventDefault();
    onNote(null);
    saving.run(
      { ...entered, basedOn: kept },
      {
        onSuccess: (stored) => {
          keep(entered);
          preferences.keepNotifications(stored);
          onNote(succeeded("Notification preferences saved successfully!"));
        },
        onFailure: (failure) =>
          onNote(failed("notifications", failureText(failure, "Failed to save notification preferences"))),
      },
    );
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {TOGGLES.map(({ name, ...toggle }) => (
        <SwitchField key={name} {...toggle} isOn={entered[name]} onChange={(isOn) => enter({ [name]: isOn })} />
      ))}
      <p className="text-sm text-muted">Emails about the security of your sign-in are always sent.</p>
      <Button type="submit" disabled={saving.isBusy} className="self-start">
        {saving.isBusy ? "Saving..." : "Save Preferences"}
      </Button>
    </form>
  );
}
