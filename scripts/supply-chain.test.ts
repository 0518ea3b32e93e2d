import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

interface Locked {
  libc?: string[];
  version?: string;
  resolved?: string;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  link?: boolean;
  hasInstallScript?: boolean;
}

const read = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;
const manifest = read<{
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  overrides: Record<string, string | Record<string, string>>;
  allowScripts: Record<string, boolean>;
}>("package.json");
const lock = read<{ lockfileVersion: number; packages: Record<string, Locked> }>("package-lock.json");
const locked = Object.entries(lock.packages).filter(([where]) => where !== "");
const nameOf = (where: string) => where.slice(where.lastIndexOf("node_modules/") + "node_modules/".length);

/** The oldest version of each that is not known to be broken in a way that matters here. */
const FLOORS: Record<string, string> = {
  next: "16.4.6",
  react: "19.3.1",
  "react-dom": "19.3.1",
  "next-auth": "4.24.15",
  nodemailer: "10.0.0",
  bullmq: "6.7.0",
};

const numbersOf = (version: string) => (version.split("-")[0] ?? "").split(".").map(Number);
function isAtLeast(version: string, floor: string): boolean {
  const [is, least] = [numbersOf(version), numbersOf(floor)];
  const place = least.findIndex((number, index) => number !== is[index]);
  return place === -1 || (is[place] ?? 0) > (least[place] ?? 0);
}

it("versions are compared as numbers", () => {
  expect(["16.4.6", "16.4.10", "16.10.0", "17.0.0"].map((version) => isAtLeast(version, "16.4.6"))).not.toContain(
    false,
  );
  expect(["16.4.5", "16.3.9", "15.9.9"].map((version) => isAtLeast(version, "16.4.6"))).not.toContain(true);
});

describe.each(Object.entries(FLOORS))("%s", (name, floor) => {
  it(`is ${floor} or newer, wherever it is installed`, () => {
    expect(isAtLeast(manifest.dependencies[name] ?? "0.0.0", floor)).toBe(true);
    const copies = locked.filter(([where]) => nameOf(where) === name);
    expect(copies.length).toBeGreaterThan(0);
    expect(copies.filter(([, { version = "0.0.0" }]) => !isAtLeast(version, floor))).toEqual([]);
  });
});

/** The product and its documentation site, whose generator is installed apart. */
describe.each(["", "docs-site/"])("what %spackage.json asks for", (folder) => {
  const asking = read<Partial<typeof manifest>>(`${folder}package.json`);
  const held = read<typeof lock>(`${folder}package-lock.json`);
  const packages = Object.entries(held.packages).filter(([where]) => where !== "");

  it("every version that we ask for is exact, and is the one that is locked", () => {
    const overrides = Object.values(asking.overrides ?? {}).flatMap((value) =>
      typeof value === "string" ? [["override", value]] : Object.entries(value),
    );
    const asked = [asking.dependencies, asking.devDependencies, asking.optionalDependencies].flatMap((each = {}) =>
      Object.entries(each),
    );
    const loose = [...asked, ...overrides].filter(
      ([, version]) => !/^(npm:[\w@/-]+@)?(\d+\.\d+\.\d+(-[\w.-]+)?|\$[\w@/-]+)$/.test(version ?? ""),
    );
    expect(loose).toEqual([]);
    const wanted = asked.map(([name, version]) => [name, version.replace(/^npm:.+@/, "")] as const);
    expect(wanted.filter(([name, version]) => held.packages[`node_modules/${name}`]?.version !== version)).toEqual([]);
  });

  it("the lock file names no source beside the registry in use", () => {
    expect(held.lockfileVersion).toBe(3);
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, { link }]) => link === true)).toEqual([]);
    const sources = packages.flatMap(([, { resolved }]) => (resolved === undefined ? [] : [new URL(resolved)]));
    expect(sources.filter(({ protocol }) => protocol !== "https:")).toEqual([]);
    expect(new Set(sources.map(({ host }) => host)).size).toBeLessThanOrEqual(1);
  });

  it("every package is held to its contents, but for optional ones of other platforms", () => {
    const unheld = packages.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""));
    const isOurs = ({ os, cpu, libc }: Locked) =>
      os?.includes("linux") && cpu?.includes("x64") && (libc === undefined || libc.includes("glibc"));
    const isOfAnotherPlatform = ([, entry]: [string, Locked]) =>
      entry.optional === true && (entry.os !== undefined || entry.cpu !== undefined) && !isOurs(entry);
    expect(unheld.filter((one) => !isOfAnotherPlatform(one)).map(([where]) => where)).toEqual([]);
  });
});

it("forty-two packages at most are our own choice at run time", () => {
  expect(Object.keys(manifest.dependencies).length).toBeLessThanOrEqual(42);
});

it("every installation that the product makes leaves the packages' own scripts out, whatever npm it is", () => {
  const made = ["Dockerfile", "scripts/install.mjs", "scripts/docs.mjs"].map((file) => readFileSync(file, "utf8"));
  const installs = made.flatMap((text) => text.match(/npm ci[^&\n]*|\[\s*"ci",[^\]]*\]/g) ?? []);
  expect(installs).toHaveLength(4);
  expect(installs.filter((command) => !command.includes("--ignore-scripts"))).toEqual([]);
});

it("the bill of materials is CycloneDX and names every package that runs, with its version and its contents", () => {
  const { scripts } = read<{ scripts: Record<string, string> }>("package.json");
  const [command = "", ...args] = scripts.sbom?.split(" ") ?? [];
  const { stdout } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const bill = JSON.parse(stdout) as {
    bomFormat: string;
    specVersion: string;
    components: { name: string; group?: string; version: string; purl: string; hashes?: unknown[] }[];
  };
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: expect.stringMatching(/^1\.[5-9]/) });
  const named = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)));
  for (const [name, version] of Object.entries(manifest.dependencies))
    expect(named).toContain(`pkg:npm/${name}@${version}`);
  // npm leaves packages that run out of a list without the development ones, so these are in it, too.
  expect(bill.components.filter(({ hashes = [] }) => hashes.length > 0).length).toBeGreaterThan(300);
});

it("no package runs a script when it is installed", () => {
  const wanting = [
    ...new Set(locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([where]) => nameOf(where))),
  ];
  expect(wanting.length).toBeGreaterThan(0);
  expect(wanting.filter((name) => manifest.allowScripts[name] !== false)).toEqual([]);
  expect(Object.values(manifest.allowScripts)).not.toContain(true);
});
