import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Tokens } from "./send.ts";

const runFileIn = z.object({
  url: z.string(),
  demo: z.record(z.enum(["trader", "admin"]), z.object({ email: z.string(), password: z.string() })),
  internal: z.object({
    databaseUrl: z.string(),
    redisUrl: z.string().nullish(),
    env: z.record(z.string(), z.string()),
  }),
});

export type RunFile = z.output<typeof runFileIn>;

export function readRunFile(file: string): RunFile {
  return runFileIn.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** The bearer tokens of one sign-in each. */
export async function signIn(url: string, { demo }: RunFile): Promise<Tokens> {
  const tokenOf = async (credentials: { email: string; password: string }) => {
    const response = await fetch(`${url}/api/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(credentials),
    });
    const { data } = (await response.json()) as { data: { token: string } | null };
    if (!data) throw new Error(`the stack answered ${response.status} to the sign-in of ${credentials.email}`);
    return data.token;
  };
  return { user: await tokenOf(demo.trader), admin: await tokenOf(demo.admin) };
}
