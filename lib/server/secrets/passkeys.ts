import { isIP } from "node:net";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { z } from "zod";
import type {
  newPasskeyIn,
  newPasskeyOptionsOut,
  passkeyOptionsOut,
  signedByPasskeyIn,
} from "@/lib/contracts/passkeys.ts";
import { env } from "../env.ts";

const TIMEOUT_MS = 120_000;
/** ES256, EdDSA, RS256: what authenticators have. */
const ALGORITHMS = [-7, -8, -257];

export interface StoredPasskey {
  credentialId: string;
  publicKey: Uint8Array;
  counter: bigint;
  transports: string[];
}

/** Passkeys belong to the address that people reach the product at. */
function relyingParty(): { id: string; origin: string } {
  const { hostname, origin } = new URL(env().APP_BASE_URL);
  return { id: hostname, origin };
}

/** Browsers make passkeys for names only: at an IP address there are none. */
export function arePasskeysPossible(): boolean {
  return isIP(relyingParty().id.replace(/^\[|\]$/g, "")) === 0;
}

const named = ({ credentialId, transports }: StoredPasskey) => ({ id: credentialId, transports });
const described = (passkeys: StoredPasskey[]) =>
  passkeys.map((passkey) => ({ ...named(passkey), type: "public-key" as const }));

/** What a browser needs to make a passkey; those that the user has make no second one. */
export async function newPasskeyOptions(
  user: { id: string; email: string; name: string },
  known: StoredPasskey[],
): Promise<z.input<typeof newPasskeyOptionsOut>> {
  const {
    challenge,
    rp,
    user: handle,
    pubKeyCredParams,
  } = await generateRegistrationOptions({
    rpName: "Tradewind",
    rpID: relyingParty().id,
    // Tells an authenticator whose passkey it is, and nothing about the person.
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    excludeCredentials: known.map(named),
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return {
    challenge,
    rp: { id: relyingParty().id, name: rp.name },
    user: handle,
    pubKeyCredParams: pubKeyCredParams.map(({ alg }) => ({ alg, type: "public-key" })),
    timeout: TIMEOUT_MS,
    attestation: "none",
    excludeCredentials: described(known),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred", requireResidentKey: false },
  };
}

/** The passkey that a browser made for this challenge, or null where the answer does not hold. */
export async function readNewPasskey(
  answer: z.output<typeof newPasskeyIn>,
  challenge: string,
): Promise<StoredPasskey | null> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
  const { id, rawId, type, response } = answer;
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const verified = await verifyRegistrationResponse({
    response: { id, rawId, type, clientExtensionResults: {}, response: { clientDataJSON, attestationObject } },
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { credential } = verified.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: BigInt(credential.counter),
    transports,
  };
}

/** What one of these passkeys has to sign. */
export async function passkeyOptions(known: StoredPasskey[]): Promise<z.input<typeof passkeyOptionsOut>> {
  const { id: rpID } = relyingParty();
  const { challenge } = await generateAuthenticationOptions({ rpID, userVerification: "preferred" });
  return {
    challenge,
    rpId: rpID,
    timeout: TIMEOUT_MS,
    allowCredentials: described(known),
    userVerification: "preferred",
  };
}

/** The passkey's count of signatures after this one, or null where it did not sign the challenge. */
export async function readSignature(
  answer: z.output<typeof signedByPasskeyIn>,
  challenge: string,
  { credentialId, publicKey, counter, transports }: StoredPasskey,
): Promise<bigint | null> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty();
  const { id, rawId, type, response } = answer;
  const { clientDataJSON, authenticatorData, signature } = response;
  const verified = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData, signature },
    },
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    // A count that does not rise is refused: the passkey was copied.
    credential: { id: credentialId, publicKey: Uint8Array.from(publicKey), counter: Number(counter), transports },
    requireUserVerification: false,
  }).catch(() => null);
  return verified?.verified ? BigInt(verified.authenticationInfo.newCounter) : null;
}
