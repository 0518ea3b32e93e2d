import * as z from "zod";

/**
 * WebAuthn on the wire, as browsers encode it (`PublicKeyCredential.toJSON()`): what the server asks of a passkey, and
 * what the browser answers. Of an answer only what the server verifies is read; the rest that browsers add may stay.
 */
const base64urlIn = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/, "Not a passkey's answer.");

/** A credential's id: 1,023 bytes at most. */
const credentialIdIn = base64urlIn(1_364);

const credentialIn = {
  id: credentialIdIn,
  rawId: credentialIdIn,
  type: z.literal("public-key"),
  authenticatorAttachment: z.string().max(40).nullish(),
  /** Read by nothing. */
  clientExtensionResults: z.record(z.string().max(60), z.unknown()).default({}),
};

/** What `navigator.credentials.create()` answers. */
export const newPasskeyIn = z.strictObject({
  ...credentialIn,
  response: z.strictObject({
    clientDataJSON: base64urlIn(4_000),
    attestationObject: base64urlIn(20_000),
    transports: z.array(z.string().max(40)).max(10).optional(),
    /** Repeat what the attestation object holds; read by nothing. */
    authenticatorData: base64urlIn(20_000).optional(),
    publicKey: base64urlIn(8_000).optional(),
    publicKeyAlgorithm: z.number().int().optional(),
  }),
});

/** What `navigator.credentials.get()` answers. */
export const signedByPasskeyIn = z.strictObject({
  ...credentialIn,
  response: z.strictObject({
    clientDataJSON: base64urlIn(4_000),
    authenticatorData: base64urlIn(4_000),
    signature: base64urlIn(2_000),
    userHandle: base64urlIn(200).optional(),
  }),
});

const descriptorOut = z.object({
  id: z.string(),
  type: z.literal("public-key"),
  transports: z.array(z.string()).optional(),
});

/** For `navigator.credentials.create()`. */
export const newPasskeyOptionsOut = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.number().int() })),
  timeout: z.number().int(),
  attestation: z.literal("none"),
  excludeCredentials: z.array(descriptorOut),
  authenticatorSelection: z.object({
    residentKey: z.literal("preferred"),
    userVerification: z.literal("preferred"),
    requireResidentKey: z.boolean(),
  }),
});

/** For `navigator.credentials.get()`. */
export const passkeyOptionsOut = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.number().int(),
  allowCredentials: z.array(descriptorOut),
  userVerification: z.literal("preferred"),
});
