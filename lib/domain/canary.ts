/** Which accounts a canary worker takes: those whose ids fall into the share, by a hash that no process has to remember. */

/** The whole, in hundredths of a percent. */
export const WHOLE_SHARE = 10_000;

/** Where an id stands between 0 and 9,999: FNV-1a with the last mixing of MurmurHash3, so that ids of one moment spread, too. */
export function standOf(id: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return ((hash ^ (hash >>> 16)) >>> 0) % WHOLE_SHARE;
}

/** `share`: hundredths of a percent. An account in a share is in every greater one. */
export const isInShare = (id: string, share: number): boolean => standOf(id) < share;

/** The rows inside of the share and the others, each in their order. */
export function sidesOf<T extends { id: string }>(rows: readonly T[], share: number): [T[], T[]] {
  const isInside = ({ id }: T) => isInShare(id, share);
  return [rows.filter(isInside), rows.filter((row) => !isInside(row))];
}

/** "12.5 %" */
export const shareText = (share: number): string => `${share / 100} %`;
