// Process supervision without dependencies: every child dies with its launcher, whatever kills the launcher.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { writeWhole } from "./whole-file.mjs";

/**
 * The wrapper shell that holds a child. Its fd 3 is a pipe from the launcher: a signal name written to it is passed
 * on; end-of-file (the launcher is gone, even by kill -9) stops the child, then kills it after a grace time.
 */
const LIFELINE = `
exec 3<&0 </dev/null
stop=$1; grace=$2; shift 2
"$@" 3<&- &
pid=$!
( read -r sig <&3 || sig=$stop
  kill -"$sig" $pid 2>/dev/null
  n=0; while kill -0 $pid 2>/dev/null && [ $n -lt $grace ]; do sleep 1; n=$((n+1)); done
  kill -KILL $pid 2>/dev/null; exit 0 ) &
watch=$!
wait $pid; rc=$?
kill -KILL $watch 2>/dev/null
trap '' TERM; kill -TERM 0 2>/dev/null
exit $rc`;

const TAIL_LINES = 30;
const COLOURS = [36, 33, 35, 32, 34, 31];

/** Every child that runs. `closing` refuses new ones; `recordFile` tells the next start what to look for.
 * @type {{ children: Set<any>, closing: boolean, recordFile: string | undefined, mark: string }} */
export const fleet = { children: new Set(), closing: false, recordFile: undefined, mark: "" };

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const colours = new Map();
function tagOf(name) {
  if (!process.stdout.isTTY || process.env.NO_COLOR) return `${name.padEnd(9)}| `;
  if (!colours.has(name)) colours.set(name, COLOURS[colours.size % COLOURS.length]);
  return `\x1b[${colours.get(name)}m${name.padEnd(9)}|\x1b[0m `;
}

/** One line of ours, in the same columns as the children's. */
export const say = (message) => process.stdout.write(`${tagOf("tradewind")}${message}\n`);

/**
 * Starts a child under the lifeline, in a process group of its own, so that a Ctrl-C in the terminal reaches only the
 * launcher, which then stops children in order of `rank` (lowest first). `quiet`: its lines are kept, not shown;
 * `isPlain`: shown without its name. `onMessage` hears what a Node program sends with `process.send`.
 */
export function start(name, command, args = [], options = {}) {
  const { env, cwd, uid, gid, stop = "TERM", graceS = 10, quiet = false, isPlain = false, rank = 0 } = options;
  const { onLine, onMessage } = options;
  if (fleet.closing) throw new Error("stopping");
  const child = spawn("/bin/sh", ["-c", LIFELINE, "lifeline", stop, String(graceS), command, ...args], {
    cwd,
    uid,
    gid,
    env: { ...process.env, ...env, TRADEWIND_LAUNCHER: fleet.mark },
    detached: true,
    // fd 3 is the lifeline's own.
    stdio: ["pipe", "pipe", "pipe", ...(onMessage ? ["ignore", "ipc"] : [])],
  });
  /** @type {{ code: number | null, signal?: string | null, error?: Error } | null} */
  let exited = null;
  /** @type {string[]} */
  const tail = [];
  const proc = {
    name,
    rank,
    stopSignal: stop,
    group: child.pid,
    tail,
    stopping: false,
    get exited() {
      return exited;
    },
    done: new Promise((resolve) => {
      const end = (how) => {
        exited ??= how;
        fleet.children.delete(proc);
        resolve(exited);
      };
      child.on("error", (error) => end({ code: 127, error }));
      child.on("close", (code, signal) => end({ code, signal }));
    }),
    kill: () => kill(-child.pid, "SIGKILL"),
    async stop(timeoutMs = graceS * 1000 + 2000) {
      if (exited) return;
      proc.stopping = true;
      child.stdin.end(`${stop}\n`);
      const late = setTimeout(proc.kill, timeoutMs);
      await proc.done;
      clearTimeout(late);
    },
  };
  for (const stream of [child.stdout, child.stderr]) {
    eachLine(stream, (line) => {
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
      onLine?.(line);
      if (!quiet) process.stdout.write(isPlain ? `${line}\n` : `${tagOf(name)}${readable(line)}\n`);
    });
  }
  if (onMessage) child.on("message", onMessage);
  child.stdin.on("error", () => {}); // the child is already gone
  fleet.children.add(proc);
  record();
  return proc;
}

function eachLine(stream, emit) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    lines.forEach(emit);
  });
  stream.on("end", () => rest && emit(rest));
}

/** A program's log line (JSON) as a person reads it; any other line as it is. */
export function readable(line) {
  if (!line.startsWith('{"')) return visible(line);
  try {
    const { level, time, msg, name: _name, pid: _pid, hostname: _hostname, err, ...rest } = JSON.parse(line);
    if (level === undefined || time === undefined) return line;
    const clock = new Date(time).toISOString().slice(11, 19);
    const urgency = typeof level === "number" ? (level >= 50 ? "ERROR " : level >= 40 ? "WARN " : "") : "";
    const fields = Object.entries(rest).map(
      ([key, value]) => `${key}=${visible(typeof value === "string" ? value : JSON.stringify(value))}`,
    );
    return [
      `${clock} ${urgency}${visible(String(msg ?? ""))}`,
      ...fields,
      ...(err
        ? String(err.stack ?? err.message ?? err)
            .split("\n")
            .map((each) => `\n    ${visible(each)}`)
        : []),
    ].join(" ");
  } catch {
    return visible(line);
  }
}

/** Line ends and what a terminal obeys, as text: a value that a caller chose makes no line of its own. */
function visible(text) {
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/g, (sign) =>
    JSON.stringify(sign).slice(1, -1),
  );
}

/** Stops everything, lowest rank first, each rank together. */
export async function stopAll() {
  fleet.closing = true;
  while (fleet.children.size > 0) {
    const lowest = Math.min(...[...fleet.children].map((proc) => proc.rank));
    await Promise.all([...fleet.children].filter((proc) => proc.rank === lowest).map((proc) => proc.stop()));
  }
}

export function kill(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

export const isAlive = (pid) => kill(pid, 0);

/** Waits until `check` answers true; fails with the child's last lines when it ends or takes too long. */
export async function until(proc, check, timeoutS, what) {
  const deadline = Date.now() + timeoutS * 1000;
  const fail = (why) =>
    new Error(
      `${why}. Its last lines:\n${proc.tail
        .slice(-12)
        .map((line) => `    ${line}`)
        .join("\n")}`,
    );
  for (;;) {
    if (fleet.closing) throw new Error("stopping");
    if (proc.exited) throw fail(`${what} ended before it was ready (${proc.exited.signal ?? proc.exited.code})`);
    if (await check()) return;
    if (Date.now() > deadline) throw fail(`${what} was not ready after ${timeoutS} s`);
    await sleep(100);
  }
}

/** Processes of this machine. Slim images have no `ps`, so Linux reads /proc. */
export function processes() {
  if (process.platform === "linux") {
    return fs
      .readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const stat = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
          const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
          if (fields[0] === "Z") return [];
          const args = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
          return [{ pid: Number(pid), group: Number(fields[2]), startedAt: fields[19], args }];
        } catch {
          return [];
        }
      });
  }
  const listed = spawnSync("ps", ["-A", "-o", "pid=,pgid=,lstart=,args="], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  return (listed.stdout ?? "").split("\n").flatMap((line) => {
    const found = line.trim().match(/^(\d+)\s+(\d+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/);
    if (!found) return [];
    return [
      { pid: Number(found[1]), group: Number(found[2]), startedAt: found[3].replace(/\s+/g, "_"), args: found[4] },
    ];
  });
}

/** Only helps a next start to clean up: a full disk must not keep a program from being started. */
function record() {
  if (!fleet.recordFile) return;
  const list = [...fleet.children].map((proc) => ({ name: proc.name, group: proc.group, stop: proc.stopSignal }));
  try {
    writeWhole(fleet.recordFile, JSON.stringify(list));
  } catch (error) {
    say(`${fleet.recordFile} could not be written: ${error.message}`);
  }
}

/** A process group's number may have been given to another program since: only processes that carry our mark count. */
function isOurs({ pid, args }) {
  if (args.includes(fleet.mark)) return true;
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`TRADEWIND_LAUNCHER=${fleet.mark}`);
  } catch {
    return process.platform !== "linux" && args.startsWith("next-server");
  }
}

/** Stops what an earlier launcher of this directory left behind (only when its lifelines were killed with it). */
export async function reap(recordFile, mark) {
  fleet.recordFile = recordFile;
  fleet.mark = mark;
  let left = [];
  try {
    left = JSON.parse(fs.readFileSync(recordFile, "utf8"));
  } catch {
    return; // no earlier run
  }
  for (const { name, group, stop } of left.reverse()) {
    const members = () => processes().filter((found) => found.group === group && isOurs(found));
    if (members().length === 0) continue;
    say(`stopping ${name} left by an earlier run`);
    for (const { pid } of members()) kill(pid, `SIG${stop}`);
    for (let tries = 0; tries < 100 && members().length > 0; tries++) await sleep(100);
    for (const { pid } of members()) kill(pid, "SIGKILL");
  }
}

/** The file that a command name means, looked for on PATH and in further folders. */
export function onPath(name, extra = []) {
  const folders = [...(process.env.PATH ?? "").split(":"), ...extra];
  return folders
    .map((folder) => path.join(folder, name))
    .find((file) => {
      try {
        fs.accessSync(file, fs.constants.X_OK);
        return fs.statSync(file).isFile();
      } catch {
        return false;
      }
    });
}
