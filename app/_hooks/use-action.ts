"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call, type CallError } from "@/lib/client/api.ts";
import type { Answer, Endpoint, Sent } from "@/lib/contracts/endpoint.ts";

interface Then<E extends Endpoint> {
  onSuccess?: (answer: Answer<E>) => void;
  onFailure?: (failure: CallError) => void;
}

/** The one way a screen acts. After success the named endpoints are read again. Never optimistic. */
export function useAction<E extends Endpoint>(endpoint: E, { refreshes = [] }: { refreshes?: Endpoint[] } = {}) {
  const client = useQueryClient();
  const mutation = useMutation<Answer<E>, CallError, Sent<E>>({
    mutationFn: (input) => call(endpoint, input),
    onSuccess: async () => {
      await Promise.all(refreshes.map((each) => client.invalidateQueries({ queryKey: [each.path] })));
    },
  });
  return {
    // Announced also when the refetch has removed the button that acted, such as that of a deleted row.
    run: (input: Sent<E>, { onSuccess, onFailure }: Then<E> = {}) =>
      void mutation.mutateAsync(input).then(
        (answer) => onSuccess?.(answer),
        (failure: CallError) => onFailure?.(failure),
      ),
    isBusy: mutation.isPending,
    failure: mutation.error,
    /** Tries once more what failed, as it was sent. */
    retry: () => {
      if (mutation.variables !== undefined) mutation.mutate(mutation.variables);
    },
    reset: mutation.reset,
  };
}
