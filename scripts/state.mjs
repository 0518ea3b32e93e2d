// What a data directory keeps between starts: ports, passwords, and who holds it.
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { isAlive, processes } from "./proc.mjs";
import { writeWhole } from "./whole-file.mjs";

const HOST = "127.0.0.1"; // never "localhost", which need not resolve

export const portFree = (port) =>
  new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: HOST, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** A port that nothing listens on now.
 * @returns {Promise<number>} */
export const anyPort = () =>
  new Promise((resolve) => {
    const server = net.createServer().listen(0, HOST, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Made once and kept, so that addresses and keys stay the same from one start to the next. */
export function state(dataDir) {
  const file = path.join(dataDir, "state.json");
  const values = readKept(file);
  const save = () => writePrivate(file, values);
  return {
    async port(name) {
      if (!values[name] || !(await portFree(values[name]))) {
        const others = Object.entries(values).flatMap(([other, value]) => (other === name ? [] : [value]));
        let port;
        do port = await anyPort();
        while (others.includes(port)); // kept for a program that has not begun to listen
        values[name] = port;
        save();
      }
      return values[name];
    },
    forget(name) {
      delete values[name];
    },
    /** Decided at the first start, and so from then on. */
    text(name, first) {
      if (!values[name]) {
        values[name] = first;
        save();
      }
      return values[name];
    },
    /** `make` turns random bytes into the text that is kept. */
    secret(name, bytes = 18, make = (random) => random.toString("hex")) {
      if (!values[name]) {
        values[name] = make(randomBytes(bytes));
        save();
      }
      return values[name];
    },
  };
}

/** Only a file that is not there is new: over one that cannot be read new keys would be written, and the old ones would be lost. */
function readKept(file) {
  try {
    const values = JSON.parse(fs.readFileSync(file, "utf8"));
    if (values !== null && typeof values === "object" && !Array.isArray(values)) return values;
    throw new Error("it holds no JSON object");
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw new Error(
      `${file} cannot be read: ${error.message}. It holds the keys and passwords of this installation and was left as it is: mend it, or put a copy back.`,
    );
  }
}

export function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** JSON, whole or not at all, and for the owner's eyes only. */
export const writePrivate = (file, value) => writeWhole(file, `${JSON.stringify(value, null, 2)}\n`);

/** Pid and start time: a pid that another program has got since is not taken for the holder. */
const identity = (pid) => processes().find((found) => found.pid === pid)?.startedAt;

/** The pid of the live holder of a lock file, if there is one. */
export function holderOf(file) {
  const { pid, startedAt } = readJson(file) ?? {};
  return pid && isAlive(pid) && identity(pid) === startedAt ? pid : undefined;
}

/** What a lock file holds; null where there is none. */
function lockText(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

/** Takes a lock file: answers `{ release }`, or `{ holder }` with the pid that has it. */
export function takeLock(file) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const own = `${file}.${process.pid}`;
  fs.writeFileSync(own, JSON.stringify({ pid: process.pid, startedAt: identity(process.pid) }));
  const held = { release: () => fs.rmSync(file, { force: true }) };
  try {
    for (;;) {
      try {
        fs.linkSync(own, file); // fails when it is there: whole content, one winner
        return held;
      } catch (error) {
        if (error.code !== "EEXIST") throw error;
      }
      const holder = holderOf(file);
      if (holder) return { holder };
      // Its holder was killed. One at a time takes it over, and looks again: another start may have done so meanwhile.
      const turn = takeLock(`${file}.takeover`);
      if (turn.holder) return turn;
      try {
        const found = lockText(file);
        // Where it is still the same after its holder was found dead, nobody else can remove it.
        if (found === null || holderOf(file) || lockText(file) !== found) continue;
        fs.renameSync(own, file);
        return held;
      } finally {
        turn.release();
      }
    }
  } finally {
    fs.rmSync(own, { force: true });
  }
}
