"use client";
import { useState } from "react";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { useEndpoint } from "../../../../_hooks/use-endpoint.ts";
import { Badge } from "../../../../_ui/badge.tsx";
import { Banner } from "../../../../_ui/banner.tsx";
import { NoteBanner } from "../../../../_ui/note-banner.tsx";
import { ReadFailure } from "../../../../_ui/read-failure.tsx";
import { SkeletonRows } from "../../../../_ui/skeleton.tsx";
import { Time } from "../../../../_ui/time.tsx";
import { ConsoleHead } from "../../../console-head.tsx";
import { RoleBadge } from "../../../role-badge.tsx";
import { AccountsCard } from "./accounts-card.tsx";
import { ActivityCards } from "./activity-cards.tsx";
import { UserActions } from "./user-actions.tsx";

const POLL_MS = 10_000;
type NoteKind = "success" | "warning";
/** Says above the page what an action came to. */
export type Tell = (text: string, kind?: NoteKind) => void;
export type User = Answer<typeof adminUsersApi.read>;

/** One user: what runs for them, what stops it, and what an administrator can do about it. */
export function UserScreen({ id }: { id: string }) {
  const user = useEndpoint(adminUsersApi.read, { id }, { pollMs: POLL_MS });
  const [note, setNote] = useState<{ text: string; kind: NoteKind } | null>(null);
  const tell: Tell = (text, kind = "success") => setNote({ text, kind });
  const { data } = user;
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead
        title={data ? `${data.firstName} ${data.lastName}` : "User"}
        back={{ href: "/admin/users", label: "Users" }}
        isStale={user.isStale}
      />
      <ReadFailure
        noun="user"
        absence="The address is wrong, or the user was erased."
        failure={user.failure}
        onRetry={user.retry}
      />
      {note !== null && <NoteBanner {...note} />}
      {user.isLoading && <SkeletonRows />}
      {data && (
        <>
          <p className="flex flex-wrap items-center gap-2 text-sm wrap-anywhere">
            <span>{data.email}</span>
            <RoleBadge role={data.role} />
            {!data.isVerified && <Badge tone="warn">email not verified</Badge>}
            <span className="text-muted">
              created <Time at={data.createdAt} />
            </span>
          </p>
          <State user={data} />
          <UserActions user={data} onDone={tell} />
          <AccountsCard user={data} onDone={tell} />
          <ActivityCards user={data} />
        </>
      )}
    </div>
  );
}

const CHANGES = { role: "another role", disable: "that they are disabled", enable: "that they are enabled again" };

/** What keeps automation from buying for this person, or that nothing does. */
function State({ user }: { user: User }) {
  const { disabledAt, kill, pause, pendingChange } = user;
  const isFree = disabledAt === null && kill.state === "NONE" && pause.since === null;
  return (
    <div className="flex flex-col gap-3">
      {disabledAt !== null && (
        <Banner
          kind="failure"
          detail={
            <>
              Since <Time at={disabledAt} />. All sign-ins have ended and nothing is bought; exits and stops keep
              working.
            </>
          }
        >
          This user is disabled
        </Banner>
      )}
      {kill.state !== "NONE" && (
        <Banner
          kind="failure"
          detail={
            <>
              {kill.reason ?? "No reason was given"}
              {kill.since !== null && (
                <>
                  , since <Time at={kill.since} />
                </>
              )}
            </>
          }
        >
          Kill switch of all accounts: {kill.state.toLowerCase().replaceAll("_", " ")}
        </Banner>
      )}
      {pause.since !== null && (
        <Banner
          kind="warning"
          detail={
            <>
              {pause.reason ?? "No reason was given"}, since <Time at={pause.since} />
            </>
          }
        >
          Automation is paused by the user
        </Banner>
      )}
      {pendingChange !== null && (
        <Banner
          kind="warning"
          detail={
            <>
              Asked by {pendingChange.requestedBy}; it waits until <Time at={pendingChange.expiresAt} />.
            </>
          }
        >
          A second administrator has to confirm {CHANGES[pendingChange.change]}
        </Banner>
      )}
      {isFree && <p className="text-sm text-muted">Automation is neither paused nor stopped for this user.</p>}
    </div>
  );
}
