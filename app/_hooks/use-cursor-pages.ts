"use client";
import { useState } from "react";
import type { Answer, Endpoint, Sent } from "@/lib/contracts/endpoint.ts";
import { useEndpoint } from "./use-endpoint.ts";

/** An endpoint whose answer says how to get the next page. */
interface Paged {
  pagination: { nextCursor: string | null };
}

interface Options {
  /** Ask again for the page that is shown after this time; later pages of a history, once reached, rest. */
  pollMs?: number;
  /** Rows of later pages change as well: whichever page is shown is asked for again. */
  pollsLaterPages?: boolean;
  isEnabled?: boolean;
}

/**
 * One page of a list at a time, by cursor: what is read stays small however far one goes. Other input begins at the
 * first page again.
 */
export function useCursorPages<E extends Endpoint>(
  endpoint: Answer<E> extends Paged ? E : never,
  input: Sent<E>,
  { pollMs, pollsLaterPages = false, isEnabled = true }: Options = {},
) {
  const of = JSON.stringify(input);
  const [place, setPlace] = useState<{ of: string; cursors: string[] }>({ of, cursors: [] });
  const cursors = place.of === of ? place.cursors : [];
  const cursor = cursors.at(-1);
  const page = useEndpoint(
    endpoint as E,
    (cursor === undefined ? input : { ...(input as object), cursor }) as Sent<E>,
    { isEnabled, ...(pollMs !== undefined && (pollsLaterPages || cursor === undefined) ? { pollMs } : {}) },
  );
  const asked = cursors.length;
  const [shown, setShown] = useState(asked);
  if (!page.isOld && shown !== asked) setShown(asked);
  const next = (page.data as Paged | null | undefined)?.pagination.nextCursor ?? null;
  return {
    ...page,
    /** Pages before the one whose rows are shown. */
    index: page.isOld ? shown : asked,
    hasNext: next !== null,
    // While the page before stands in, its cursor leads to the page that is on its way already.
    next: () => next !== null && !page.isOld && setPlace({ of, cursors: [...cursors, next] }),
    previous: () => setPlace({ of, cursors: cursors.slice(0, -1) }),
    first: () => setPlace({ of, cursors: [] }),
  };
}
