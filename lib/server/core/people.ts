import type { Prisma } from "../db.ts";

/** What the address of every erased person ends with. */
const ERASED = "@erased.invalid";

/** The address under which the row of an erased person stays, for what refers to it. */
export const erasedEmail = (userId: string) => `erased-${userId}${ERASED}`;

/** The users that are listed and counted: all but those whose data was erased. */
export const PEOPLE = { NOT: { email: { endsWith: ERASED } } } satisfies Prisma.UserWhereInput;

/** Under which administrators are told of a change of a person's role: the person's address stands in it until they are erased. */
export const roleNewsKey = (userId: string) => `role:${userId}:`;

/** How the keys of what is said of an account's halts begin: administrators read in it whose account it is. */
export const haltNewsKey = (accountId: string) => `halted:${accountId}:`;
