"use client";
import { useState } from "react";
import { adminUsersApi } from "@/lib/contracts/admin-users.ts";
import { useAction } from "../../../../_hooks/use-action.ts";
import { useSession } from "../../../../_hooks/use-session.ts";
import { Button } from "../../../../_ui/button.tsx";
import { Dialog } from "../../../../_ui/dialog.tsx";
import type { RoleName } from "@/lib/domain/enums.ts";
import { countText, easternText } from "@/lib/domain/format.ts";
import { KillForm } from "../../../kill-form.tsx";
import { ReasonDialog } from "../../../reason-dialog.tsx";
import type { Tell, User } from "./user-screen.tsx";

interface ActionsProps {
  user: User;
  onDone: Tell;
}

type Open = "disable" | "enable" | "sign-ins" | "promote" | "demote" | "kill" | null;

/** What can be done to the person as a whole; destructive actions require a typed confirmation. */
export function UserActions({ user, onDone }: ActionsProps) {
  const [open, setOpen] = useState<Open>(null);
  const { user: self } = useSession();
  const isSelf = self?.id === user.id;
  const isAdmin = user.role === "ADMIN";
  const close = () => setOpen(null);
  const done: Tell = (...note) => {
    close();
    onDone(...note);
  };
  return (
    <div className="flex flex-wrap gap-3">
      <Button tone="danger" onClick={() => setOpen("kill")}>
        {user.kill.state === "NONE" ? "Stop all accounts" : "Change the stop"}
      </Button>
      <Button tone="secondary" onClick={() => setOpen("sign-ins")}>
        End all sign-ins
      </Button>
      {!isSelf && (
        <>
          <Button tone="secondary" onClick={() => setOpen(isAdmin ? "demote" : "promote")}>
            {isAdmin ? "Take the administrator's role away" : "Make administrator"}
          </Button>
          <Button tone="secondary" onClick={() => setOpen(user.isDisabled ? "enable" : "disable")}>
            {user.isDisabled ? "Enable" : "Disable"}
          </Button>
        </>
      )}
      {open === "kill" && (
        <Dialog
          isOpen
          onClose={close}
          title={`Kill switch of ${user.email}`}
          description="It applies from the next order on, in each of their accounts. Exits and protective stops always pass."
        >
          <KillForm
            target={{ scope: { kind: "user", userId: user.id }, label: user.email, inForce: user.kill.state }}
            onCancel={close}
            onDone={done}
          />
        </Dialog>
      )}
      {open === "disable" && <Disable user={user} onClose={close} onDone={done} />}
      {open === "enable" && <Enable user={user} onClose={close} onDone={done} />}
      {open === "sign-ins" && <EndSignIns user={user} onClose={close} onDone={done} />}
      {open === "promote" && <ChangeRole to="ADMIN" user={user} onClose={close} onDone={done} />}
      {open === "demote" && <ChangeRole to="USER" user={user} onClose={close} onDone={done} />}
    </div>
  );
}

/** What to expect of a change of an administrator, before it is asked for. */
const consent = ({ isTwoPerson }: User) =>
  isTwoPerson ? " The policy in force asks for two administrators: nothing changes until the second one confirms." : "";

type DialogProps = ActionsProps & { onClose: () => void };

interface Change {
  isChanged: boolean;
  waitsUntil: string | null;
}

/** What became of a change; `already`: how it stood before, where another administrator was first. */
const outcome = ({ isChanged, waitsUntil }: Change, done: string, already: string): Parameters<Tell> => {
  if (waitsUntil !== null) return [`A second administrator has to confirm before ${easternText(waitsUntil)}.`];
  return isChanged ? [done] : [`Nothing was changed: ${already}.`, "warning"];
};

const REFRESHES = [adminUsersApi.read, adminUsersApi.list];

function Disable({ user, onClose, onDone }: DialogProps) {
  const act = useAction(adminUsersApi.disable, { refreshes: REFRESHES });
  return (
    <ReasonDialog
      onClose={onClose}
      title={`Disable ${user.email}`}
      description={`All sign-ins end at once, and nothing is bought in their accounts. Exits and protective stops keep working.${user.role === "ADMIN" ? consent(user) : ""}`}
      phrase="DISABLE"
      action="Disable user"
      isBusy={act.isBusy}
      failure={act.failure}
      failureText="The user was not disabled"
      onConfirm={(reason) =>
        act.run(
          { id: user.id, reason },
          {
            onSuccess: (change) => onDone(...outcome(change, "The user is disabled.", "the user was disabled already")),
          },
        )
      }
    />
  );
}

function Enable({ user, onClose, onDone }: DialogProps) {
  const act = useAction(adminUsersApi.enable, { refreshes: REFRESHES });
  return (
    <ReasonDialog
      onClose={onClose}
      title={`Enable ${user.email}`}
      description={`The user may sign in again, and their accounts trade as their own switches say.${user.role === "ADMIN" ? consent(user) : ""}`}
      phrase={null}
      action="Enable user"
      isBusy={act.isBusy}
      failure={act.failure}
      failureText="The user was not enabled"
      onConfirm={(reason) =>
        act.run(
          { id: user.id, reason },
          {
            onSuccess: (change) =>
              onDone(...outcome(change, "The user is enabled again.", "the user was enabled already")),
          },
        )
      }
    />
  );
}

function EndSignIns({ user, onClose, onDone }: DialogProps) {
  const act = useAction(adminUsersApi.endSignIns, { refreshes: REFRESHES });
  const textOf = (ended: number) => `${countText(ended)} ${ended === 1 ? "sign-in was" : "sign-ins were"} ended.`;
  return (
    <ReasonDialog
      onClose={onClose}
      title={`End all sign-ins of ${user.email}`}
      description="This takes effect on every device with its next request. Their access tokens are revoked as well: programs that use one stop working. They are told; the password stays as it is."
      phrase={null}
      action="End all sign-ins"
      isBusy={act.isBusy}
      failure={act.failure}
      failureText="The sign-ins were not ended"
      onConfirm={(reason) => act.run({ id: user.id, reason }, { onSuccess: ({ ended }) => onDone(textOf(ended)) })}
    />
  );
}

/** It stays what it was opened for where another administrator changes the role meanwhile. */
function ChangeRole({ to: role, user, onClose, onDone }: DialogProps & { to: RoleName }) {
  const act = useAction(adminUsersApi.setRole, { refreshes: REFRESHES });
  const isPromotion = role === "ADMIN";
  return (
    <ReasonDialog
      onClose={onClose}
      title={isPromotion ? `Make ${user.email} an administrator` : `Take the administrator's role from ${user.email}`}
      description={`${isPromotion ? "An administrator sees all users and controls the whole system." : "They lose access to the console."} Their sign-ins end with the change.${consent(user)}`}
      phrase={role}
      action={isPromotion ? "Make administrator" : "Take the role away"}
      isBusy={act.isBusy}
      failure={act.failure}
      failureText="The role was not changed"
      onConfirm={(reason) =>
        act.run(
          { id: user.id, role, reason },
          {
            onSuccess: (change) =>
              onDone(...outcome(change, "The role was changed.", "the user had this role already")),
          },
        )
      }
    />
  );
}
