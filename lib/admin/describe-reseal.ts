import type { ResealReport } from "@/lib/server/services/accounts/reseal-stored-keys.ts";

/** What became of the sealed rows, and whether the older master keys may go. */
export function describeReseal({ newest, resealed, waiting, unreadable }: ResealReport): string[] {
  const done = `${resealed} row${resealed === 1 ? "" : "s"} put under master key ${newest}.`;
  if (waiting === 0) return [done, `Nothing is sealed under an older one: the others may leave MASTER_KEYS.`];
  const broken = unreadable.length;
  return [
    done,
    `${waiting} still under an older master key: keep it, and run this again.`,
    ...(broken > 0
      ? [
          `Of them ${broken} do not open (changed, or their master key is not here): ${unreadable.slice(0, 20).join(", ")}`,
        ]
      : []),
  ];
}
