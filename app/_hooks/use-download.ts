"use client";
import { useMutation } from "@tanstack/react-query";
import { callForFile, type CallError } from "@/lib/client/api.ts";
import type { Endpoint, Sent } from "@/lib/contracts/endpoint.ts";

/** The one way a screen fetches a file: with the bearer token, under the name that the server gives. */
export function useDownload<E extends Endpoint>(endpoint: E) {
  const mutation = useMutation<void, CallError, Sent<E>>({
    mutationFn: async (input) => {
      const { name, content } = await callForFile(endpoint, input);
      const url = URL.createObjectURL(content);
      const link = Object.assign(document.createElement("a"), { href: url, download: name });
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return {
    run: (input: Sent<E>) => mutation.mutate(input),
    isBusy: mutation.isPending,
    failure: mutation.error,
  };
}
