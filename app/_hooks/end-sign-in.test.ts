import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as api from "@/lib/client/api.ts";
import { authCalls } from "@/lib/contracts/auth-calls.ts";
import { notificationsApi } from "@/lib/contracts/notifications.ts";
import { usersApi } from "@/lib/contracts/users.ts";
import type * as endSignIn from "./end-sign-in.ts";

/** A page of its own for each test: a page that is leaving does not leave twice. */
let call: typeof api.call;
let changePassword: typeof endSignIn.changePassword;
let erasePerson: typeof endSignIn.erasePerson;

const stored = new Map<string, string>();
const left: string[] = [];
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
};
const USER = { id: "1", email: "t@example.com", role: "USER", emailVerified: true };
const INPUT = { email: USER.email, currentPassword: "old password", newPassword: "new password" };

/** Gives the call that ends the sign-in its answer; a status of 0: none. */
let conclude: (status: number, data?: object) => void;

beforeEach(async () => {
  vi.resetModules();
  ({ call } = await import("@/lib/client/api.ts"));
  ({ changePassword, erasePerson } = await import("./end-sign-in.ts"));
  stored.clear();
  stored.set("auth_token", "old");
  left.length = 0;
  vi.stubGlobal("window", {
    localStorage: storage,
    sessionStorage: storage,
    location: { pathname: "/settings", search: "", assign: (address: string) => left.push(address) },
  });
  const concluded = new Promise<Response>((resolve, reject) => {
    conclude = (status, data) => {
      if (status === 0) reject(new TypeError("Failed to fetch"));
      else resolve(Response.json({ success: true, data, error: null }, { status }));
    };
  });
  vi.stubGlobal("fetch", (address: string) => {
    const isEnding = [authCalls.changePassword, usersApi.erase].some(({ path }) => address.endsWith(path));
    if (isEnding) return concluded;
    return Promise.resolve(Response.json({ success: false, error: "Please sign in." }, { status: 401 }));
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const poll = () => expect(call(notificationsApi.list, {})).rejects.toMatchObject({ status: 401 });

it("a poll that is refused while the password is being changed leads nowhere, and the new sign-in is kept", async () => {
  const changing = changePassword(INPUT);
  await poll();
  conclude(200, { user: USER, token: "new" });
  await changing;
  expect(left).toEqual([]);
  expect(stored.get("auth_token")).toBe("new");
});

it("a poll that is refused once the change got no answer leads to the sign-in page", async () => {
  const changing = changePassword(INPUT);
  await poll();
  conclude(0);
  await expect(changing).rejects.toMatchObject({ code: "unreachable" });
  expect(left).toEqual([]);
  await poll();
  expect(left).toEqual(["/auth"]);
});

it("a poll that is refused while the account is being deleted does not lead to the sign-in page", async () => {
  const erasing = erasePerson({ confirmation: "DELETE", password: "old password" });
  await poll();
  conclude(200, { message: "Erased." });
  await erasing;
  await vi.waitFor(() => expect(left).toEqual(["/?erased=true"]));
});
