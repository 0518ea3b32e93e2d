import { readFileSync } from "node:fs";
import * as z from "zod";

const runFileIn = z.object({
  url: z.string(),
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
