import type { Tx } from "../db.ts";
import { createLog } from "../log.ts";
import { newSubjectKey, openPersonal, openSubjectKey, sealPersonal } from "../secrets/subject-key.ts";

/** What identifies a person or what they typed: their address, their words. Names are the event's own. */
export type Personal = Record<string, string>;

/** An id that no user has: looked up for events without a subject, so that they take as long as the others. */
const NO_USER_ID = "00000000-0000-0000-0000-000000000000";
/** Stands in place of a sealed part whose key does not open: it opens nowhere, so readers are told that it cannot be read. */
const NOT_SEALED = "not sealed";
const log = createLog("audit");
const placeOf = (seq: bigint) => `audit|${seq}`;

/**
 * Seals what is personal of a row under its subject's key; the key is made with the first such row. Null where there is
 * nothing to seal, and for a person who was erased: nothing personal of theirs is kept. Where the person's key does not open, because its
 * master key is gone, the event is recorded without its personal part: a sign-in records one, too, and must not fail with it. Callers hold the chain's lock.
 */
export async function sealPersonalOf(
  tx: Tx,
  { seq, userId, personal }: { seq: bigint; userId: string | null; personal: Personal },
): Promise<string | null> {
  if (Object.keys(personal).length === 0) return null;
  const known = await tx.subjectKey.findUnique({ where: { userId: userId ?? NO_USER_ID } });
  if (userId === null || known?.erasedAt) return null;
  const { sealedKey } =
    known ??
    (await tx.subjectKey.create({ data: { userId, sealedKey: newSubjectKey(userId) }, select: { sealedKey: true } }));
  const key = openOrNull(sealedKey, userId);
  if (key === "erased") return null;
  if (key === "unreadable") {
    log.error("audit-personal.left-out", { seq: seq.toString(), userId });
    return NOT_SEALED;
  }
  const sealed = sealPersonal(key, JSON.stringify(personal), userId, placeOf(seq));
  key.fill(0);
  return sealed;
}

interface Row {
  seq: bigint;
  subjectUserId: string | null;
  ipAddress: string | null;
  personal: string | null;
}

type Opened<R> = Omit<R, "personal"> & { personal: Personal | null; closed: Closed | null };

/** Why nothing personal can be shown: the person was erased, or the master key of their key is gone. */
type Closed = "erased" | "unreadable";

/**
 * The rows with their personal parts opened, for those who may see them: `personal` is empty where there is none, and null
 * with the reason in `closed` where it can no longer be read. `ipAddress` comes from wherever the row keeps it.
 */
export async function withPersonal<R extends Row>(db: Tx, rows: R[]): Promise<Opened<R>[]> {
  const people = rows.flatMap((row) =>
    row.personal !== null && row.subjectUserId !== null ? [row.subjectUserId] : [],
  );
  const found = await db.subjectKey.findMany({ where: { userId: { in: [...new Set(people)] } } });
  const keys = new Map(found.map(({ userId, sealedKey }) => [userId, openOrNull(sealedKey, userId)]));
  const opened = rows.map(({ personal: sealed, ...row }): Opened<R> => {
    const { subjectUserId, seq } = row;
    if (sealed === null || subjectUserId === null) return { ...row, personal: {}, closed: null };
    const key = keys.get(subjectUserId) ?? "erased";
    if (typeof key === "string") return { ...row, personal: null, closed: key };
    try {
      const personal = JSON.parse(openPersonal(key, sealed, subjectUserId, placeOf(seq))) as Personal;
      return { ...row, ipAddress: personal.ipAddress ?? row.ipAddress, personal, closed: null };
    } catch {
      return { ...row, personal: null, closed: "unreadable" };
    }
  });
  for (const key of keys.values()) if (typeof key !== "string") key.fill(0);
  return opened;
}

function openOrNull(sealedKey: string | null, userId: string): Buffer | Closed {
  if (sealedKey === null) return "erased";
  try {
    return openSubjectKey(sealedKey, userId);
  } catch {
    return "unreadable";
  }
}
