/** Calls that end the sign-in by which they are made. Apart from use-session.ts: pages for those who are signed out need none of it. */
import { call, setLeftAt } from "@/lib/client/api.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import { usersApi } from "@/lib/contracts/users.ts";
import { leaveErased } from "./leave.ts";
import { keepSignIn } from "./use-session.ts";

/** Until the answer is here, a poll that is refused already does not lead to the sign-in page; where none comes, the next poll does. */
async function stayDuring(work: () => Promise<void>): Promise<void> {
  setLeftAt(Infinity);
  try {
    await work();
  } finally {
    setLeftAt(0);
  }
}

/** Changes the password and keeps the token of the sign-in that takes the place of this one. Throws CallError. */
export const changePassword = (input: Sent<typeof authCalls.changePassword>) =>
  stayDuring(async () => keepSignIn(await call(authCalls.changePassword, input)));

/** Erases the person and leaves. Throws CallError. */
export const erasePerson = (input: Sent<typeof usersApi.erase>) =>
  stayDuring(async () => {
    await call(usersApi.erase, input);
    void leaveErased();
  });
