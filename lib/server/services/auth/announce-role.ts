import type { RoleName } from "@/lib/domain/enums.ts";
import type { Tx } from "../../db.ts";
import { mailAlert } from "../../core/mail-alert.ts";
import { notify } from "../../core/notify.ts";
import { roleNewsKey } from "../../core/people.ts";

/** `tokenVersion`: as it was before the change ended the sign-ins. */
interface Whose {
  id: string;
  email: string;
  tokenVersion: number;
}

/** Tells the person that their role was changed, and by whom. */
export async function tellOfRole(
  tx: Tx,
  { id, tokenVersion }: Whose,
  { role, by, at }: { role: RoleName; by: "An administrator" | "An operator"; at: Date },
): Promise<void> {
  await notify(tx, {
    userId: id,
    dedupeKey: `role:${tokenVersion + 1}`,
    at,
    kind: "SECURITY",
    title: role === "ADMIN" ? "You are an administrator now" : "You are no longer an administrator",
    text: `${by} changed your role. All earlier sign-ins have ended.`,
    link: "/settings?tab=security",
  });
}

/** Tells the administrators who became one of them, or no longer is. */
export async function mailOfRole(tx: Tx, { id, email, tokenVersion }: Whose, role: RoleName): Promise<void> {
  const isAdmin = role === "ADMIN";
  await mailAlert(tx, "administrators", {
    key: `${roleNewsKey(id)}${tokenVersion + 1}`,
    subject: isAdmin ? "There is a new administrator" : "An administrator's role was taken away",
    isUrgent: true,
    paragraphs: [`${email} ${isAdmin ? "is an administrator now" : "is no longer an administrator"}.`],
  });
}
