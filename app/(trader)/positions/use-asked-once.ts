"use client";
import { useState } from "react";
import type { CallError } from "@/lib/client/api.ts";
import type { Answer, Endpoint, Sent } from "@/lib/contracts/endpoint.ts";
import type { positionsApi } from "@/lib/contracts/positions.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { newRequestId } from "./new-request-id.ts";

type ByHand = typeof positionsApi.sell | typeof positionsApi.tightenStop;
export type AskedOnce<E extends ByHand> = ReturnType<typeof useAskedOnce<E>>;

/** What the services answer once they have looked for the request: it led to nothing. */
const ANSWERS_OF_SERVICE: readonly string[] = ["invalid_input", "not_found", "conflict"];
/** An answer that is none of the server's own sentences: something in between may have replaced it. */
const NO_SENTENCE: readonly string[] = ["unreadable", "internal"];

/**
 * Whether the server may have done it. A first request that was turned away never came to anything; a repeat that was turned
 * away before the service saw it, by a limit for instance, says nothing about the request before it.
 */
function leavesUnsure({ status, code }: CallError, isRepeat: boolean): boolean {
  if (ANSWERS_OF_SERVICE.includes(code)) return false;
  const isTurnedAway = status >= 400 && status < 500 && !NO_SENTENCE.includes(code);
  return isRepeat || !isTurnedAway;
}

/**
 * A request that is done once, however often it is sent. Until the server says what became of it, it keeps its id and its input,
 * and asking again sends exactly that: another input under the id would be refused, and another id would be a second order. It
 * outlives the dialog that asks, and so does its answer.
 */
export function useAskedOnce<E extends ByHand>(endpoint: E, refreshes: Endpoint[]) {
  const action = useAction(endpoint, { refreshes });
  const [requestId, setRequestId] = useState(newRequestId);
  const [sent, setSent] = useState<Sent<E> | null>(null);
  const [answer, setAnswer] = useState<Answer<E> | null>(null);
  const [isRepeat, setRepeat] = useState(false);
  const settle = () => {
    setSent(null);
    setRequestId(newRequestId());
  };
  const send = (input: Sent<E>, isAgain: boolean) => {
    setSent(input);
    setRepeat(isAgain);
    setAnswer(null);
    action.run(input, {
      onSuccess: (given) => {
        setAnswer(given);
        settle();
      },
      onFailure: (failure) => {
        if (!leavesUnsure(failure, isAgain)) settle();
      },
    });
  };
  return {
    requestId,
    /** What went out, until it is known what became of it. */
    sent,
    answer,
    isBusy: action.isBusy,
    failure: action.failure,
    /** Whether the latest request went out again because an answer was lost. */
    isRepeat,
    ask: (input: Sent<E>) => send(input, false),
    /** Sends exactly what is out once more. */
    askAgain: () => {
      if (sent !== null) send(sent, true);
    },
    /** What was read is dropped; what is not known yet stays. */
    close: () => {
      setAnswer(null);
      if (sent === null) action.reset();
    },
  };
}
