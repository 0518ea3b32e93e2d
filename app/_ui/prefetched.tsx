"use client";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
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
    if (client.getQueryData(queryKey) === undefined) client.setQueryData(queryKey, data);
  }
}

/** Asks for all of it once more, one after the other, so that the page answers presses meanwhile. The answer ends it. */
function askAgain(client: QueryClient, answers: readonly PrefetchedAnswer[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const next = (place: number) => {
    const answer = answers[place];
    if (answer === undefined) return;
    void client.invalidateQueries(
      { queryKey: keyOf(answer.path, answer.input), exact: true },
      { cancelRefetch: false },
    );
    timer = setTimeout(next, 0, place + 1);
  };
  timer = setTimeout(next, 0, 0);
  return () => clearTimeout(timer);
}

/**
 * Around what reads these answers: it finds them as if it had asked before. On a slow line they are seconds old by then, so they are
 * shown at once and asked for once more.
 */
export function PrefetchedAnswers({
  answers,
  children,
}: {
  answers: readonly PrefetchedAnswer[];
  children: ReactNode;
}) {
  const client = useQueryClient();
  const [held] = useState(() => {
    keep(client, answers);
    return answers;
  });
  useEffect(() => askAgain(client, held), [client, held]);
  return children;
}
