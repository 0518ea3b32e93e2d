import fs from "node:fs";

/** What a running stack says of itself: its address, its mailbox, its exchange and the demo sign-ins. */
export interface Run {
  url: string;
  mailbox: string;
  exchange: string;
  demo: Record<"trader" | "admin", { email: string; password: string }>;
}

/** Read when a journey starts, so that listing the tests needs no running stack. */
export function run(): Run {
  const file = process.env.E2E_RUN_FILE;
  if (file === undefined) throw new Error("Set E2E_RUN_FILE to the run.json of a running stack.");
  return JSON.parse(fs.readFileSync(file, "utf8")) as Run;
}
