"use client";
import { useMemo, useState, type FormEvent } from "react";
import { channelsApi } from "@/lib/contracts/channels.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { minuteOf, minuteText, quietText } from "@/lib/domain/quiet-hours.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Banner } from "../../_ui/banner.tsx";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { SelectField, TextField } from "../../_ui/field.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { SwitchField } from "../../_ui/switch-field.tsx";
import { useDraft } from "./use-draft.ts";

type QuietHours = Answer<typeof channelsApi.readQuietHours>["quietHours"];

const DEFAULT = { from: 22 * 60, to: 7 * 60 };

/** The reader's own zone first: most want that one. */
function zones(kept: string | undefined): { value: string; label: string }[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const names = new Set([...(kept === undefined ? [] : [kept]), own, ...Intl.supportedValuesOf("timeZone")]);
  return [...names].map((value) => ({ value, label: value.replaceAll("_", " ") }));
}

export function QuietHoursCard() {
  const read = useEndpoint(channelsApi.readQuietHours, {});
  return (
    <Card title="Quiet hours">
      {read.failure !== null && (
        <FailureNote text="Failed to load the quiet hours" detail={read.failure.message} onRetry={read.retry} />
      )}
      {read.isLoading && <Skeleton className="h-40" />}
      {read.data !== undefined && <QuietHoursForm saved={read.data.quietHours} />}
    </Card>
  );
}

const fieldsOf = (saved: QuietHours, ownZone: string) => ({
  isOn: saved !== null,
  from: minuteText(saved?.from ?? DEFAULT.from),
  to: minuteText(saved?.to ?? DEFAULT.to),
  timeZone: saved?.timeZone ?? ownZone,
});

/** The tab guards its other form alone. */
const isNotGuarded = () => undefined;

function QuietHoursForm({ saved }: { saved: QuietHours }) {
  const options = useMemo(() => zones(saved?.timeZone), [saved?.timeZone]);
  const draft = useDraft(fieldsOf(saved, options[0]?.value ?? "UTC"), isNotGuarded);
  const { isOn, from, to, timeZone } = draft.entered;
  const [isSaved, setSaved] = useState(false);
  const saving = useAction(channelsApi.saveQuietHours, { refreshes: [channelsApi.readQuietHours] });
  const times = { from: minuteOf(from), to: minuteOf(to) };
  const entered =
    times.from === null || times.to === null || times.from === times.to
      ? null
      : { from: times.from, to: times.to, timeZone };
  const said = isOn ? entered && quietText(entered) : "Off: emails and browser notifications arrive at any hour.";
  const enter = (change: Partial<typeof draft.entered>) => {
    setSaved(false);
    draft.enter(change);
  };

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isOn && entered === null) return;
    setSaved(false);
    saving.run(
      { quietHours: isOn ? entered : null },
      {
        onSuccess: () => {
          draft.keep(draft.entered);
          setSaved(true);
        },
      },
    );
  }

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <SwitchField
        label="Keep quiet hours"
        hint="Emails and browser notifications from these hours arrive when they end. The bell and the webhook are not delayed."
        isOn={isOn}
        onChange={(isNowOn) => enter({ isOn: isNowOn })}
      />
      {isOn && (
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField label="From" type="time" value={from} onChange={(event) => enter({ from: event.target.value })} />
          <TextField
            label="To"
            type="time"
            value={to}
            error={times.from !== null && times.from === times.to ? "Choose two different times." : undefined}
            onChange={(event) => enter({ to: event.target.value })}
          />
          <SelectField
            label="Time zone"
            value={timeZone}
            options={options}
            onChange={(event) => enter({ timeZone: event.target.value })}
          />
        </div>
      )}
      {said !== null && <p className="text-sm text-muted">{said}</p>}
      {saving.failure !== null && (
        <Banner kind="failure" detail={saving.failure.message}>
          The quiet hours were not saved
        </Banner>
      )}
      {isSaved && <Banner kind="success">Quiet hours saved</Banner>}
      <Button type="submit" disabled={saving.isBusy || (isOn && entered === null)} className="self-start">
        {saving.isBusy ? "Saving..." : "Save quiet hours"}
      </Button>
    </form>
  );
}
