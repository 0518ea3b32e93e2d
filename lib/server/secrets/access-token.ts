import { createHash, randomBytes } from "node:crypto";

/** The prefix tells an access token from a session token, and lets secret scanners find leaked ones. */
const PREFIX = "twp_";

/** A new personal access token: 256 random bits. */
export const newAccessToken = () => `${PREFIX}${randomBytes(32).toString("base64url")}`;

export const isAccessToken = (bearer: string) => bearer.startsWith(PREFIX);

/** What is stored of a token. It has 256 bits of its own, so that a fast hash is enough. */
export const accessTokenHash = (token: string) => createHash("sha256").update(token).digest("hex");

/** The end of a token, by which its owner knows it again. */
export const lastFourOf = (token: string) => token.slice(-4);
