// Dependency-free process supervision: every child dies with the launcher, whatever kills the launcher.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';

// The wrapper shell holds the child. Its fd 3 is a pipe from the launcher: a signal name written to it
// is passed on; end-of-file (launcher gone, even by kill -9) stops the child, then kills the group.
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
trap '' TERM; kill -TERM 0 2>/dev/null      # stragglers of this group (grandchildren)
exit $rc`;

const COLORS = [36, 33, 35, 32, 34, 31];
let colorN = 0;
export const children = new Set();

export function start(name, cmd, args = [], o = {}) {
  const { env, cwd, uid, gid, stop = 'TERM', grace = 10, quiet = false, onLine } = o;
  const c = spawn('/bin/sh', ['-c', LIFELINE, 'lifeline', stop, String(grace), cmd, ...args], {
    cwd, uid, gid, env: { ...process.env, ...env }, detached: true, stdio: ['pipe', 'pipe', 'pipe'],
  });
  const color = process.stdout.isTTY && !process.env.NO_COLOR ? COLORS[colorN++ % COLORS.length] : 0;
  const tag = color ? `\x1b[${color}m${name.padEnd(8)}|\x1b[0m ` : `${name.padEnd(8)}| `;
  const tail = [];
  for (const s of [c.stdout, c.stderr]) {
    let buf = '';
    s.setEncoding('utf8');
    s.on('data', (d) => {
      buf += d; let i;
      while ((i = buf.indexOf('\n')) >= 0) { const l = buf.slice(0, i); buf = buf.slice(i + 1); emit(l); }
    });
    s.on('end', () => buf && emit(buf));
  }
  function emit(l) { tail.push(l); if (tail.length > 30) tail.shift(); onLine?.(l); if (!quiet) process.stdout.write(tag + l + '\n'); }
  const p = { name, child: c, stopSig: stop, tail, exited: null, stopping: false };
  p.done = new Promise((res) => {
    c.on('error', (e) => { p.exited = { code: 127, error: e }; res(p.exited); });
    c.on('close', (code, signal) => { p.exited ??= { code, signal }; children.delete(p); res(p.exited); });
  });
  c.stdin.on('error', () => {}); // EPIPE when the child is already gone
  children.add(p); if (runFile) fs.writeFileSync(runFile, JSON.stringify([...children].map((x) => ({ name: x.name, pgid: x.child.pid, stop: x.stopSig }))));
  p.stop = async (ms = grace * 1000 + 2000) => {
    if (p.exited) return; p.stopping = true;
    c.stdin.end(`${stop}\n`);
    let t; const late = new Promise((r) => (t = setTimeout(r, ms, 'late')));
    if ((await Promise.race([p.done, late])) === 'late') p.kill();
    clearTimeout(t); await p.done;
  };
  p.kill = () => { try { process.kill(-c.pid, 'SIGKILL'); } catch {} };
  return p;
}

let runFile;
/** Processes of this machine. Slim images have no `ps`, so Linux reads /proc. */
export function procs() {
  if (process.platform === 'linux') return fs.readdirSync('/proc').filter((d) => /^\d+$/.test(d)).flatMap((d) => {
    try { const st = fs.readFileSync(`/proc/${d}/stat`, 'utf8'); const f = st.slice(st.lastIndexOf(')') + 2).split(' ');
      if (f[0] === 'Z') return [];
      return [{ pid: +d, pgid: +f[2], start: f[19], args: fs.readFileSync(`/proc/${d}/cmdline`, 'utf8').replace(/\0/g, ' ').trim() }]; } catch { return []; } });
  const r = spawnSync('ps', ['-A', '-o', 'pid=,pgid=,lstart=,args='], { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  return (r.stdout ?? '').split('\n').flatMap((l) => { const m = l.trim().match(/^(\d+)\s+(\d+)\s+(\S+\s+\S+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/); return m ? [{ pid: +m[1], pgid: +m[2], start: m[3], args: m[4] }] : []; });
}
/** Stop what an earlier launcher of this data directory left behind (only when its wrappers were killed too). */
export async function reap(file, mine) {
  let old = []; try { old = JSON.parse(fs.readFileSync(file, 'utf8')); } catch {}
  const members = (g) => procs().filter((q) => q.pgid === g && mine(q.args)).map((q) => q.pid);
  for (const { name, pgid, stop } of old.reverse()) {
    let ps = members(pgid); if (!ps.length) continue;
    console.log(`up      | stopping ${name} left by an earlier run (${ps})`);
    for (const q of ps) try { process.kill(q, 'SIG' + stop); } catch {}
    for (let i = 0; i < 100 && (ps = members(pgid)).length; i++) await new Promise((r) => setTimeout(r, 100));
    for (const q of ps) try { process.kill(q, 'SIGKILL'); } catch {}
  }
  runFile = file;
}
