import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { securityApi } from "@/lib/contracts/security.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { afterRemoving } from "./change-factors.ts";
import { sendNews } from "./person-event.ts";
import { lockSignedIn } from "./lock-person.ts";
import { passkeyView } from "./passkey-view.ts";

const passkeyNotFound = () => new Failure("not_found", "Passkey not found.");

export async function renamePasskey(
  { actor, db }: Context<"user">,
  { id, name }: Received<typeof securityApi.renamePasskey>,
): Promise<Given<typeof securityApi.renamePasskey>> {
  const [renamed] = await db.passkey.updateManyAndReturn({ where: { id, userId: actor.userId }, data: { name } });
  if (!renamed) throw passkeyNotFound();
  return passkeyView(renamed);
}

export async function removePasskey(
  context: Context<"user">,
  { id }: Received<typeof securityApi.removePasskey>,
): Promise<Given<typeof securityApi.removePasskey>> {
  const { userId } = context.actor;
  const at = context.now();
  await inTransaction(context, async (tx) => {
    await lockSignedIn(context, tx);
    const known = await tx.passkey.findFirst({ where: { id, userId }, select: { name: true } });
    if (!known) throw passkeyNotFound();
    await tx.passkey.delete({ where: { id } });
    await afterRemoving(context, tx, { userId, what: `The passkey “${known.name}”`, kind: "passkey", at });
  });
  await sendNews(context);
  return { message: "The passkey is removed." };
}
