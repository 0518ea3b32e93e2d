import { Failure } from "@/lib/domain/failures.ts";
import { openText, resealText, sealText, type TextOwner } from "./seal-text.ts";

const ownedBy = (userId: string): TextOwner => ({ purpose: "totp", userId });

/** Seals the secret of an authenticator app for one user, as broker keys are sealed: the text opens for no other. */
export const sealTotp = (secret: string, userId: string) => sealText(secret, ownedBy(userId));

/** Throws `conflict` when the text was changed, is another user's, or its master key is gone. */
export function openTotp(sealed: string, userId: string): string {
  try {
    return openText(sealed, ownedBy(userId));
  } catch (cause) {
    throw new Failure("conflict", "Codes cannot be checked right now. Use a recovery code or a passkey.", { cause });
  }
}

/** The same secret with the row's key under the newest master key. Throws where the text does not open. */
export const resealTotp = (sealed: string, userId: string) => resealText(sealed, ownedBy(userId));
