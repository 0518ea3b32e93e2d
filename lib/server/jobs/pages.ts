import { isInShare, sidesOf } from "@/lib/domain/canary.ts";
import type { Db } from "../db.ts";
import { currentSplit } from "./canary.ts";

/** Accounts of a page: one statement over so many costs each of them next to nothing. */
export const PAGE = 50;

/** The accounts of a job of a page: a range of ids, both included. */
export interface PageRange {
  from: string;
  to: string;
  /** Of the range, the accounts on the side of this share on which its first account is; absent: all of them. */
  share?: number | undefined;
}

/** In pieces of a page. */
export const pagesOf = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / PAGE) }, (_, nth) => rows.slice(nth * PAGE, (nth + 1) * PAGE));

/** Accounts in pages, by their ids, with the range of each; a canary's apart from the others'. */
export async function cutPages<T extends { id: string }>(
  db: Db,
  rows: readonly T[],
): Promise<{ rows: T[]; range: PageRange }[]> {
  const { share, isAlive } = await currentSplit(db);
  const isSplit = isAlive && share > 0;
  const sides = isSplit ? sidesOf(rows, share) : [rows];
  return sides.flatMap((side) =>
    pagesOf(side).map((page) => {
      const range = { from: page[0]!.id, to: page.at(-1)!.id };
      return { rows: page, range: isSplit ? { ...range, share } : range };
    }),
  );
}

/** Whether an account of the range is one of its page. */
export const isOnSide = ({ from, share }: PageRange, id: string): boolean =>
  share === undefined || isInShare(id, share) === isInShare(from, share);
