"use client";
import { type FormEvent } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Button } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { TextArea, TextField } from "../../_ui/field.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { failed, succeeded, type TabProps } from "./save-note.ts";
import { useDraft } from "./use-draft.ts";

export function ProfileTab(props: TabProps) {
  const profile = useEndpoint(preferencesApi.readProfile, {});
  return (
    <Card title="Profile" className="max-w-2xl">
      {profile.failure !== null && (
        <FailureNote text="Failed to load the profile" detail={profile.failure.message} onRetry={profile.retry} />
      )}
      {profile.isLoading && <Skeleton className="h-64" />}
      {profile.data !== undefined && <ProfileForm {...props} saved={profile.data} />}
    </Card>
  );
}

type Profile = Answer<typeof preferencesApi.readProfile>;

function ProfileForm({ user, onNote, onUnsaved, saved }: TabProps & { saved: Profile }) {
  const { entered, enter, keep } = useDraft({ displayName: saved.displayName ?? "", bio: saved.bio ?? "" }, onUnsaved);
  const saving = useAction(preferencesApi.saveProfile, { refreshes: [preferencesApi.readProfile] });
  const issueOf = (path: string) => saving.failure?.issues.find((issue) => issue.path === path)?.message;

  function submit(event: FormEvent) {
    event.preventDefault();
    onNote(null);
    saving.run(entered, {
      onSuccess: () => {
        keep(entered);
        onNote(succeeded("Profile saved successfully!"));
      },
      onFailure: (failure) => onNote(failed("profile", failureText(failure, "Unknown error"))),
    });
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField label="Email" type="email" value={user.email} readOnly hint="Email cannot be changed" />
      <TextField
        label="Display name"
        value={entered.displayName}
        maxLength={80}
        autoComplete="nickname"
        error={issueOf("displayName")}
        onChange={(event) => enter({ displayName: event.target.value })}
      />
      <TextArea
        label="Bio"
        rows={4}
        value={entered.bio}
        maxLength={500}
        error={issueOf("bio")}
        onChange={(event) => enter({ bio: event.target.value })}
      />
      <Button type="submit" disabled={saving.isBusy} className="self-start">
        {saving.isBusy ? "Saving..." : "Save Profile"}
      </Button>
    </form>
  );
}
