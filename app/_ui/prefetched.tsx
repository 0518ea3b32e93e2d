"use client";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { keyOf } from "../_hooks/use-endpoint.ts";

/** An answer of the API that came with the page's document. */
export interface PrefetchedAnswer {
  readonly path: string;
  readonly input: object;
  readonly data: unknown;
}

function keep(client: QueryClient, answers: readonly PrefetchedAnswer[]): void {
  for (const { path, input, data } of answers) {
    const queryKey = keyOf(path, input);
    if (client.getQueryData(queryKey) !== undefined) continue;
    client.setQueryData(queryKey, data);
    // It is shown at once and asked for once more as soon as the screen is there: on a slow line it is seconds old by then.
    void client.invalidateQueries({ queryKey, exact: true, refetchType: "none" });
  }
}

/** Around what reads these answers: it finds them as if it had asked before. */
export function PrefetchedAnswers({
  answers,
  children,
}: {
  answers: readonly PrefetchedAnswer[];
  children: ReactNode;
}) {
  const client = useQueryClient();
  useState(() => keep(client, answers));
  return children;
}
