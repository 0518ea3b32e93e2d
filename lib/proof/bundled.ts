/** Programs of ours that tests start in processes of their own: bundled once for a run of the tests, when the first one starts it. */
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { bundleWhole, bundleWithPackages } from "@/scripts/bundle.mjs";

const WORKER = "workers/main.ts";
const THREADS = "workers/threads";

/** Other workers of the tests may make the same: the first one whole wins. */
async function once(kept: string, make: (draft: string) => Promise<void>): Promise<string> {
  if (fs.existsSync(kept)) return kept;
  fs.mkdirSync(path.dirname(kept), { recursive: true });
  const draft = `${kept}.${process.pid}`;
  await make(draft);
  try {
    fs.renameSync(draft, kept);
  } catch (error) {
    if (!fs.existsSync(kept)) throw error;
    fs.rmSync(draft, { recursive: true });
  }
  return kept;
}

/** Laid out as the production build has it, the worker with its threads; packages are inside, so that each start is a cheap one. */
async function built(folder: string, entry: string): Promise<string> {
  const threads = entry === WORKER ? fs.readdirSync(THREADS).map((name) => `${THREADS}/${name}`) : [];
  const place = path.join(folder, entry.replaceAll("/", "-"));
  await once(place, (draft) => bundleWithPackages([entry, ...threads.filter((file) => file.endsWith(".ts"))], draft));
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
  return [...(folder ? [] : ["tsx"]), ...loaded].flatMap((file) => ["--import", file]).concat(files.slice(-1));
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
