import type * as NextAuth from "next-auth";
import { beforeEach, expect, it, vi } from "vitest";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { currentUser, redirectIfSignedIn, requireTrader, requireUser } from "./guard.ts";
import type { Session } from "./session.ts";

const asked = vi.hoisted(() => ({
  headers: new Headers(),
  sessionOf: (): Promise<unknown> => Promise.resolve(null),
  lines: new Set<string>(),
}));
vi.mock("next/headers", () => ({ headers: () => Promise.resolve(asked.headers) }));
vi.mock("next/server", () => ({ connection: () => Promise.resolve() }));
vi.mock("../log.ts", () => ({
  createLog: () =>
    Object.fromEntries(
      ["debug", "info", "warn", "error"].map((level) => [
        level,
        (event: string) => asked.lines.add(`${level} ${event}`),
      ]),
    ),
}));
vi.mock("./session.ts", async (original) => ({
  ...(await original<object>()),
  sessionOf: () => asked.sessionOf(),
}));
/** Next-auth itself, given the request's cookie in the way that needs no server around it. */
vi.mock("next-auth", async (original) => {
  const { getServerSession } = await original<typeof NextAuth>();
  const cookies = { "next-auth.session-token": "a-token" };
  const request = { headers: {}, cookies } as unknown as Parameters<typeof getServerSession>[0];
  const response = { getHeader: () => undefined, setHeader: () => undefined };
  return {
    getServerSession: (options: NextAuth.NextAuthOptions) =>
      getServerSession(request as never, response as never, options),
  };
});
useLeastEnv();

const user = {
  id: "1",
  email: "a@b.example",
  firstName: "A",
  lastName: "B",
  role: "USER",
  emailVerified: true,
} as const;
const known = { user, claims: { sub: "1", jti: "2", ver: 1, iat: 1, exp: 2 } } as unknown as Session;
const away = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** Where a page sends its visitor; null where it lets them in. */
const destination = (page: Promise<unknown>) =>
  page.then(
    () => null,
    (error: { digest?: string }) => error.digest?.split(";")[2] ?? Promise.reject(error as Error),
  );

beforeEach(() => {
  asked.headers = new Headers({ "x-search": "?tab=trading&symbol=A%20B" });
  asked.sessionOf = () => Promise.resolve(null);
  asked.lines.clear();
});

it("a stranger is sent to the sign-in, which is told the whole address that they wanted", async () => {
  expect(await currentUser()).toBeNull();
  const to = (await destination(requireUser("/settings"))) ?? "";
  expect(new URL(to, "http://x").pathname).toBe("/auth");
  expect(new URL(to, "http://x").searchParams.get("from")).toBe("/settings?tab=trading&symbol=A%20B");
  expect(asked.lines).toContain("debug session-cookie.expired");
  expect(asked.lines).not.toContain("warn session-cookie.not-read");
});

it("a person is let in", async () => {
  asked.sessionOf = () => Promise.resolve(known);
  expect(await requireUser("/settings")).toEqual(user);
  expect(await destination(redirectIfSignedIn())).toBe("/dashboard");
});

it("a person who cannot be looked up is no stranger: the page fails and can be asked for again, and the log says why", async () => {
  asked.sessionOf = () => Promise.reject(away);
  for (const page of [requireUser("/settings"), requireTrader("/dashboard"), currentUser(), redirectIfSignedIn()])
    await expect(destination(page)).rejects.toBe(away);
  expect(asked.lines).toContain("warn session-cookie.not-read");
  expect(asked.lines).not.toContain("debug session-cookie.expired");
  asked.sessionOf = () => Promise.reject(new TypeError("a mistake of ours"));
  await expect(requireUser("/settings")).rejects.toThrow("a mistake of ours");
  expect(asked.lines).toContain("error session-cookie.not-read");
});

it("a whole document is made all the same, without the person: its browser asks by the token until it is answered", async () => {
  asked.sessionOf = () => Promise.reject(away);
  asked.headers.set("sec-fetch-dest", "document");
  expect(await currentUser()).toBeNull();
  expect(await destination(redirectIfSignedIn())).toBeNull();
  await expect(requireUser("/settings")).rejects.toBe(away);
});
