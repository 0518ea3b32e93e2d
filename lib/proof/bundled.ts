/** Programs of ours that tests start in processes of their own: bundled once for a run of the tests, when the first one starts it. */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { bundleWhole, bundleWithPackages } from "@/scripts/bundle.mjs";

const THREADS = "workers/threads";
const CHILDREN = "lib/proof/crash";
/** Made together: most of what they are made of is the same. */
const programs = () => [
  "workers/main.ts",
  ...["admin", "reconcile", "replay", "whatif"].map((name) => `workers/cli/${name}.ts`),
  "lib/proof/rehearsal/worker-clock.ts",
  ...[THREADS, CHILDREN].flatMap((folder) => fs.readdirSync(folder).map((name) => `${folder}/${name}`)),
];
const LOOK_EVERY_MS = 50;

/** Several workers of the tests may want the same at once: one makes it, and the others wait for it. */
async function once(kept: string, make: (draft: string) => Promise<void>): Promise<string> {
  const draft = `${kept}.draft`;
  const lock = `${kept}.lock`;
  for (; !fs.existsSync(kept); await sleep(LOOK_EVERY_MS)) {
    try {
      fs.mkdirSync(lock);
    } catch {
      continue; // another makes it, or has just made it
    }
    try {
      if (fs.existsSync(kept)) break;
      await make(draft);
      fs.renameSync(draft, kept);
    } finally {
      fs.rmdirSync(lock);
    }
  }
  return kept;
}

/** Laid out as the production build has it; packages are inside, so that each start is a cheap one. */
async function built(folder: string, entry: string): Promise<string> {
  const place = await once(path.join(folder, "programs"), (draft) => bundleWithPackages(programs(), draft));
  return path.join(place, entry.replace(/\.ts$/, ".mjs"));
}

/**
 * What node is given to start a program: its bundle in a run of the tests, where the loader would cost it a second of its own; its
 * source anywhere else. `preloads` are loaded before it.
 */
export async function programArgs(entry: string, ...preloads: string[]): Promise<string[]> {
  const folder = process.env.TEST_BUNDLES;
  const sources = [...preloads, entry];
  const files = folder ? await Promise.all(sources.map((file) => built(folder, file))) : sources;
  const loaded = files.slice(0, -1).map((file) => pathToFileURL(file).href);
  const flags = folder && loaded.length === 0 ? ["--no-opt", "--liftoff-only"] : [];
  return [
    ...flags,
    ...[...(folder ? [] : ["tsx"]), ...loaded].flatMap((file) => ["--import", file]),
    ...files.slice(-1),
  ];
}

/** The address of a program that runs in a thread. */
export async function threadProgram(entry: string): Promise<string> {
  const folder = process.env.TEST_BUNDLES;
  return pathToFileURL(folder ? await built(folder, entry) : path.resolve(entry)).href;
}

/** For a program that is ended soon and started often: optimised code would cost it more than it brings. */
export async function shortLivedArgs(entry: string): Promise<string[]> {
  const folder = process.env.TEST_BUNDLES;
  if (!folder) throw new Error(`${entry} is started in a run of the tests alone`);
  const file = path.join(folder, `${entry.replaceAll("/", "-")}.mjs`);
  return ["--no-opt", "--liftoff-only", await once(file, (draft) => bundleWhole(entry, draft))];
}
