"use client";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import type { PrefetchedAnswer } from "@/lib/contracts/prefetched.ts";
import { keyOf } from "../_hooks/use-endpoint.ts";

function keep(client: QueryClient, answers: readonly PrefetchedAnswer[]): void {
  for (const { path, input, data } of answers) {
    const queryKey = keyOf(path, input);
    if (client.getQueryData(queryKey) === undefined) client.setQueryData(queryKey, data);
  }
}

/** Few at once: the screen's other reads come first, and the server has just given these. */
const LANES = 2;

/** Asks for all of it again. The answer ends it. */
function askAgain(client: QueryClient, answers: readonly PrefetchedAnswer[]): () => void {
  const waiting = [...answers];
  const lane = async () => {
    for (let answer = waiting.shift(); answer !== undefined; answer = waiting.shift()) {
      const queryKey = keyOf(answer.path, answer.input);
      await client.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
    }
  };
  const timer = setTimeout(() => {
    for (let each = 0; each < LANES; each += 1) void lane();
  }, 0);
  return () => {
    clearTimeout(timer);
    waiting.length = 0;
  };
}

/**
 * Around what reads these answers: it finds them as if it had asked before. On a slow line they are seconds old by then, so they are
 * shown at once and asked for again.
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
