import { allEndpoints } from "@/lib/contracts/api.ts";
import { env } from "@/lib/server/env.ts";
import { idsOf } from "../principals/own-ids.ts";
import { makePerson, tokenOf, type Person } from "../principals/people.ts";
import { nounBefore, parametersOf } from "../principals/routes.ts";
import { closeRows, neverShown, openRows } from "../principals/rows.ts";
import type { Canaries } from "./check-answer.ts";
import { idKey, type RealIds } from "./make-request.ts";
import type { Tokens } from "./send.ts";

/** Who calls, what of theirs no other user may read, and whose ids are tried. */
export interface People {
  tokens: Tokens;
  ids: RealIds;
  canaries: Canaries;
  /** Tokens, hashes and sealed keys of the database, and the keys of the installation. */
  secrets: string[];
}

/**
 * Makes a user, another one and an administrator in the database of the environment, each with a row in every table that can
 * hold something of theirs. The rows stay.
 */
export async function makePeople(): Promise<People> {
  await openRows();
  try {
    const user = await makePerson("user");
    const other = await makePerson("other");
    const admin = await makePerson("admin");
    const ids = await realIds(user, other);
    const tokens = { user: await tokenOf(user), admin: await tokenOf(admin) };
    return {
      tokens,
      ids,
      canaries: { user: textsOf(user), others: [...textsOf(other), admin.mark] },
      secrets: [...Object.values(tokens), ...(await neverShown()), ...installationSecrets()].filter(
        (secret) => secret.length >= 12,
      ),
    };
  } finally {
    await closeRows();
  }
}

async function realIds(user: Person, other: Person): Promise<RealIds> {
  const ids = new Map<string, { user: string; other: string | null }>();
  for (const endpoint of allEndpoints)
    for (const parameter of parametersOf(endpoint)) {
      const key = idKey(endpoint.path, parameter);
      if (ids.has(key)) continue;
      const { own, isPersonal } = idsOf(nounBefore(endpoint, parameter), parameter, endpoint.path);
      ids.set(key, { user: await own(user), other: isPersonal ? await own(other) : null });
    }
  return ids;
}

/** The letters that begin every canary of theirs, and the ids of the person and the account. An administrator's id stands in the trail of whom they dealt with. */
const textsOf = ({ mark, userId, accountId }: Person) => [mark, userId, accountId];

function installationSecrets(): string[] {
  const { NEXTAUTH_SECRET, MASTER_KEYS, AUDIT_KEY, DATABASE_URL } = env();
  return [NEXTAUTH_SECRET, MASTER_KEYS, AUDIT_KEY, DATABASE_URL].flatMap((value) => value.split(","));
}
