import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { PROGRAMS } from "./build.mjs";

/** Stages of the Dockerfile, each with its instructions: `["COPY", "a b ./"]`. */
const stages = new Map<string, [string, string][]>();
let stage: [string, string][] = [];
for (const [, keyword = "", rest = ""] of readFileSync("Dockerfile", "utf8").matchAll(/^([A-Z]+) (.*)$/gm)) {
  const name = keyword === "FROM" ? / AS (\S+)$/.exec(rest)?.[1] : undefined;
  if (name) stages.set(name, (stage = []));
  else stage.push([keyword, rest]);
}
const of = (name: string, keyword: string) =>
  (stages.get(name) ?? []).filter(([each]) => each === keyword).map(([, rest]) => rest);

const scriptsIn = (folder: string) =>
  readdirSync(folder).flatMap((name) => (name.endsWith(".mjs") ? [`${folder}/${name}`] : []));

/** Files of the checkout that an image holds; folders stand for what is in them. */
const copied = (name: string): string[] =>
  of(name, "COPY")
    .filter((line) => !line.startsWith("--from="))
    .flatMap((line) => line.split(" ").slice(0, -1))
    .flatMap((source) => (source.endsWith("/*.mjs") ? scriptsIn(source.slice(0, -6)) : [source]));
const holds = (files: string[], file: string) => files.some((each) => file === each || file.startsWith(`${each}/`));

const IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;
/** A file with everything of the checkout that it imports, at once or later. */
function closure(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, target = ""] of readFileSync(file, "utf8").matchAll(IMPORT))
    if (target.endsWith(".mjs")) closure(path.join(path.dirname(file), target), seen);
  return seen;
}

interface Service {
  build?: { target?: string };
  command?: string[];
  entrypoint?: string[];
  healthcheck?: { test?: string[] };
}
const { services } = parse(readFileSync("docker-compose.yml", "utf8"), { merge: true }) as {
  services: Record<string, Service>;
};
/** What containers of an image start: scripts by their paths, of commands and health checks. */
const started = (image: string): string[] => {
  const words = [
    ...of(image, "CMD"),
    ...of(image, "HEALTHCHECK").map((line) => line.slice(line.indexOf("CMD ") + 4)),
  ].flatMap((line) => JSON.parse(line.startsWith("CMD ") ? line.slice(4) : line) as string[]);
  const ofServices = Object.values(services)
    .filter(({ build }) => build?.target === image)
    .flatMap(({ command = [], entrypoint = [], healthcheck }) => [
      ...command,
      ...entrypoint,
      ...(healthcheck?.test ?? []),
    ]);
  return [...new Set([...words, ...ofServices].filter((word) => /^[\w/.-]+\.mjs$/.test(word)))];
};

describe.each(["web", "runtime"])("the image %s", (image) => {
  it("holds every script that its containers start, and what these import", () => {
    const files = copied(image);
    const scripts = started(image).filter((file) => !file.startsWith("dist/"));
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts)
      for (const file of closure(script)) expect(holds(files, file), `${file}, for ${script}`).toBe(true);
  });

  it("copies nothing that is not there", () => {
    const files = copied(image);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(file), file).toBe(true);
  });

  it("runs as an ordinary user and says whether it is well", () => {
    expect(of(image, "USER")).toEqual(["node"]);
    expect(of(image, "HEALTHCHECK")).toHaveLength(1);
    expect(of(image, "CMD")).toHaveLength(1);
  });
});

it("what is started from dist is built", () => {
  const built = PROGRAMS.map((file: string) => `dist/${file.replace(/\.ts$/, ".mjs")}`);
  const programs = started("runtime").filter((file) => file.startsWith("dist/"));
  expect(programs.length).toBeGreaterThanOrEqual(4);
  expect(built).toEqual(expect.arrayContaining(programs));
});

it("programs of the image need no package that is there for development alone", async () => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: object };
  const commands = ["admin", "reconcile", "settle-restored"].map((name) => `workers/cli/${name}.ts`);
  const { metafile } = await build({
    entryPoints: [...PROGRAMS, ...commands],
    ...{ bundle: true, write: false, metafile: true, packages: "external", platform: "node", format: "esm" },
    outdir: "unused",
    logLevel: "silent",
  });
  const outside = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !path.startsWith("node:") && !builtinModules.includes(path))
    .map(({ path }) =>
      path
        .split("/")
        .slice(0, path.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  expect(outside).toContain("pg");
  expect([...new Set(outside)].filter((name) => !(name in dependencies))).toEqual([]);
});

it("a base image is named by its version", () => {
  const images = [...readFileSync("Dockerfile", "utf8").matchAll(/^ARG NODE_IMAGE=(.*)$/gm)].map(([, image]) => image);
  expect(images).toHaveLength(1);
  expect(images[0]).toMatch(/^node:\d+\.\d+\.\d+-/);
});

it("the images can be built for another base of the API's calls, which is known before the build and by Compose", () => {
  const steps = (stages.get("build") ?? []).map(([keyword, rest]) => `${keyword} ${rest}`);
  const asked = steps.indexOf("ARG NEXT_PUBLIC_API_BASE=/api/v1");
  expect(asked).toBeGreaterThan(-1);
  expect(steps.findIndex((step) => step.includes("scripts/build.mjs"))).toBeGreaterThan(asked);
  expect(services["web"]?.build).toHaveProperty("args.NEXT_PUBLIC_API_BASE", "${NEXT_PUBLIC_API_BASE:-/api/v1}");
});
