import type * as browser from "@simplewebauthn/browser";
import type { authApi } from "../contracts/auth.ts";
import type { Answer, Sent } from "../contracts/endpoint.ts";
import type { securityApi } from "../contracts/security.ts";
import { CallError } from "./api.ts";

type NewPasskey = Sent<typeof securityApi.addPasskey>["passkey"];
type NewPasskeyOptions = Answer<typeof securityApi.newPasskeyOptions>["options"];
type SignedByPasskey = NonNullable<Sent<typeof authApi.secondFactor>["passkey"]>;
type PasskeyOptions = Answer<typeof authApi.secondFactorOptions>["options"];

/** Has the browser make a passkey. Throws CallError. */
export function makePasskey(options: NewPasskeyOptions): Promise<NewPasskey> {
  return withBrowser(async ({ startRegistration }) => {
    const optionsJSON = options as Parameters<typeof startRegistration>[0]["optionsJSON"];
    return (await startRegistration({ optionsJSON })) as unknown as NewPasskey;
  });
}

/** Has one of the person's passkeys sign. Throws CallError. */
export function signWithPasskey(options: PasskeyOptions): Promise<SignedByPasskey> {
  return withBrowser(async ({ startAuthentication }) => {
    const optionsJSON = options as Parameters<typeof startAuthentication>[0]["optionsJSON"];
    return (await startAuthentication({ optionsJSON })) as unknown as SignedByPasskey;
  });
}

/** Its code comes when it is needed. A refusal by the browser is shown like one by the server. */
async function withBrowser<T>(work: (library: typeof browser) => Promise<T>): Promise<T> {
  if (!("PublicKeyCredential" in window))
    throw new CallError(0, "passkey", "This browser cannot use passkeys. Please choose another way.");
  const library = await import("@simplewebauthn/browser").catch(() => {
    throw new CallError(0, "unreachable", "Tradewind could not be reached. Check your connection and try again.");
  });
  try {
    return await work(library);
  } catch (error) {
    throw new CallError(0, "passkey", sentenceOf(error));
  }
}

function sentenceOf(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "InvalidStateError") return "This device or key has a passkey for your account already.";
  if (name === "NotAllowedError" || name === "AbortError")
    return "The passkey was not used: the question was closed, or it took too long. Please try again.";
  return "The browser could not use the passkey. Please try again, or choose another way.";
}
