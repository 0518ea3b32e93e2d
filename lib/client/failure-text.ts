import { type CallError, serverMessage } from "./api.ts";

/** What a screen says of a failure: the server's sentence or, where it gave none, the specified one and below it what the client knows. */
export function failureText(
  failure: Pick<CallError, "code" | "message">,
  specified: string,
): { text: string; detail?: string } {
  const said = serverMessage(failure);
  if (said !== "") return { text: said };
  return failure.message === "" ? { text: specified } : { text: specified, detail: failure.message };
}
