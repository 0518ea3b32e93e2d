// Completes package-lock.json after a change of dependencies: `npm install && node scripts/complete-lock.mjs`.
// npm leaves out optional packages of other platforms that the registry in use does not hold, and `npm ci` then refuses
// the lock file. An entry that says only version and platform is enough.
import fs from "node:fs";

const SYSTEMS = ["darwin", "win32", "linux", "freebsd", "android", "openharmony"];
const PROCESSORS = ["x64", "arm64", "arm", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32"];

const lock = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
const isLocked = (where, name) =>
  lock.packages[`${where}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
const added = [];

for (const [where, { optionalDependencies, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies ?? {})) {
    if (isLocked(where, name) || !/^\d+\.\d+\.\d+\S*$/.test(version)) continue;
    const parts = name.split("/").pop().split("-");
    const os = parts.find((part) => SYSTEMS.includes(part));
    const cpu =
      parts.find((part) => PROCESSORS.includes(part)) ?? (parts.some((part) => /eabi/.test(part)) ? "arm" : undefined);
    const libc = parts.some((part) => part.startsWith("musl")) ? ["musl"] : undefined;
    const platform = { ...(os ? { os: [os] } : {}), ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc } : {}) };
    lock.packages[`node_modules/${name}`] = { version, ...(dev ? { dev } : {}), optional: true, ...platform };
    added.push(name);
  }
}
for (const entry of Object.values(lock.packages)) delete entry.resolved; // the lock file names no host

const byPath = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(byPath);
fs.writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length > 0 ? `added ${added.length}: ${added.join(", ")}` : "the lock file is complete");
