import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "@playwright/test";
import { findChromium } from "@/scripts/chromium.mjs";
import type { Run } from "@/e2e/run.ts";

/**
 * What a mid-range phone on a slow line sees: `npm run bench:pages`. It measures the stack that runs: `npm start` first (RUN_FILE
 * names another's run.json, BASE_URL another address of it, ONLY the pages to visit: "/dashboard,/logs"). Each round is a browser that has never been here. Writes the same
 * figures to .data/bench-pages.json. Nothing fails on a slow machine; only a build has these figures, a development server does not.
 */
const { RUN_FILE = ".data/run.json", BASE_URL, ROUNDS = "5", ONLY = "" } = process.env;
const rounds = Number(ROUNDS);

/** The phone and the line of Lighthouse's mobile preset, in the values it gives the browser itself. */
const CPU_SLOWDOWN = 4;
const LINE = {
  latency: 562.5,
  downloadThroughput: (1474.56 * 1024) / 8,
  uploadThroughput: (675 * 1024) / 8,
  offline: false,
};
const PHONE: BrowserContextOptions = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  userAgent:
    "Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Mobile Safari/537.36",
};
/** How long a page is watched after its load event: what comes late counts as well. */
const WATCHED_MS = 5000;

const AIM = { lcpMs: 2500, tbtMs: 300, cls: 0.02, inpMs: 100 };
/** What a person does with a page, in this order, once it is there: the names of buttons and tabs. */
type Press = readonly ["button" | "tab", RegExp];
interface BenchPage {
  path: string;
  isSignedIn: boolean;
  scriptsKiB: number;
  presses?: readonly Press[];
}
const PAGES: readonly BenchPage[] = [
  { path: "/", isSignedIn: false, scriptsKiB: 140 },
  {
    path: "/auth",
    isSignedIn: false,
    scriptsKiB: 140,
    presses: [
      ["button", /^Sign up/],
      ["button", /^Sign in/],
    ],
  },
  { path: "/learn-more", isSignedIn: false, scriptsKiB: 140 },
  { path: "/terms-of-service", isSignedIn: false, scriptsKiB: 140 },
  // The frame of every signed-in page with the dashboard in 190; another page brings 40 at most; the chart comes late, in 65 more.
  {
    path: "/dashboard",
    isSignedIn: true,
    scriptsKiB: 190 + 65,
    presses: [
      ["button", /^Week$/],
      ["button", /^Hide amounts$/],
      ["button", /^Command menu$/],
    ],
  },
  { path: "/alpaca-keys", isSignedIn: true, scriptsKiB: 190 + 40 },
  { path: "/trade-history", isSignedIn: true, scriptsKiB: 190 + 40 },
  { path: "/decisions", isSignedIn: true, scriptsKiB: 190 + 40 },
  { path: "/logs", isSignedIn: true, scriptsKiB: 190 + 40, presses: [["tab", /^My Activity$/]] },
  {
    path: "/settings",
    isSignedIn: true,
    scriptsKiB: 190 + 40,
    presses: [
      ["tab", /^Notifications$/],
      ["tab", /^Trading$/],
    ],
  },
  { path: "/performance", isSignedIn: true, scriptsKiB: 190 + 40 + 65, presses: [["button", /^1 month$/]] },
  { path: "/backtest", isSignedIn: true, scriptsKiB: 190 + 40 },
];

interface Figures {
  lcpMs: number;
  /** The slowest answer to a press, until the next paint; null where nothing is pressed. */
  inpMs: number | null;
  tbtMs: number;
  cls: number;
  scriptsKiB: number;
}

interface Seen {
  lcp: number;
  cls: number;
  tasks: { start: number; duration: number }[];
  answers: number[];
}

/** Runs in the page before anything else does. */
function watch(): void {
  const seen: Seen = { lcp: 0, cls: 0, tasks: [], answers: [] };
  Object.assign(window, { seen });
  const observe = (type: string, note: (entry: PerformanceEntry) => void, more: { durationThreshold?: number } = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more });
  observe("largest-contentful-paint", ({ startTime }) => (seen.lcp = startTime));
  observe("layout-shift", (entry) => (seen.cls += (entry as PerformanceEntry & { value: number }).value));
  observe("longtask", ({ startTime, duration }) => seen.tasks.push({ start: startTime, duration }));
  const isPress = (entry: PerformanceEntry) =>
    (entry as PerformanceEntry & { interactionId: number }).interactionId > 0;
  observe("event", (entry) => isPress(entry) && seen.answers.push(entry.duration), { durationThreshold: 16 });
}

/** Runs in the page at the end. */
function report(): Omit<Figures, "inpMs"> {
  const { seen } = window as unknown as { seen: Seen };
  const firstPaint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
  const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  const scripts = loaded.filter(({ name }) => new URL(name).pathname.endsWith(".js"));
  return {
    lcpMs: seen.lcp,
    // What a task takes beyond 50 ms blocks an answer to the person.
    tbtMs: seen.tasks.filter(({ start }) => start >= firstPaint).reduce((sum, { duration }) => sum + duration - 50, 0),
    cls: seen.cls,
    scriptsKiB: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024,
  };
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", LINE);
  await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_SLOWDOWN });
}

/** Presses one thing after the other and answers how long the slowest waited for its paint, in ms. */
async function press(page: Page, presses: readonly Press[]): Promise<number | null> {
  if (presses.length === 0) return null;
  const isPainted =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))";
  for (const [role, name] of presses) {
    await page.getByRole(role, { name }).first().click();
    await page.evaluate(isPainted);
  }
  // Answers quicker than 16 ms are not told.
  return page.evaluate(() => Math.max(16, ...(window as unknown as { seen: Seen }).seen.answers));
}

async function visit(
  browser: Browser,
  address: string,
  presses: readonly Press[],
  options: BrowserContextOptions,
): Promise<Figures> {
  const context = await browser.newContext({ ...PHONE, ...options });
  try {
    const page = await context.newPage();
    // The loader of this program gives functions their names by a call of this, also inside those that run in the page.
    await page.addInitScript("globalThis.__name = (named) => named");
    await page.addInitScript(watch);
    await slowDown(page);
    await page.goto(address, { waitUntil: "load", timeout: 120_000 });
    await page.waitForTimeout(WATCHED_MS);
    if (page.url() !== address) throw new Error(`${address} led to ${page.url()}`);
    return { ...(await page.evaluate(report)), inpMs: await press(page, presses) };
  } finally {
    await context.close();
  }
}

async function signIn(browser: Browser, base: string, { email, password }: Run["demo"]["trader"]) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${base}/auth`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
  await page.waitForURL("**/dashboard");
  const storageState = await context.storageState();
  await context.close();
  return { storageState };
}

const medianOf = (all: Figures[], name: keyof Figures) =>
  all.map((one) => one[name] ?? 0).sort((a, b) => a - b)[all.length >> 1] ?? 0;

const run = JSON.parse(readFileSync(RUN_FILE, "utf8")) as Run;
const base = BASE_URL ?? run.url;
const browser = await chromium.launch({ executablePath: await findChromium(), args: ["--no-sandbox"] });
try {
  const trader = await signIn(browser, base, run.demo.trader);
  const rows: ({ path: string; scriptsAimKiB: number } & Figures)[] = [];
  console.log(
    `${"page".padEnd(20)}${["LCP ms", "TBT ms", "INP ms", "CLS", "JS KiB", "aim KiB"].map((name) => name.padStart(10)).join("")}`,
  );
  const wanted = ONLY === "" ? PAGES : PAGES.filter(({ path }) => ONLY.split(",").includes(path));
  for (const { path, isSignedIn, scriptsKiB, presses = [] } of wanted) {
    const all: Figures[] = [];
    for (let round = 0; round < rounds; round += 1)
      all.push(await visit(browser, `${base}${path}`, presses, isSignedIn ? trader : {}));
    const row = {
      path,
      lcpMs: Math.round(medianOf(all, "lcpMs")),
      tbtMs: Math.round(medianOf(all, "tbtMs")),
      inpMs: presses.length === 0 ? null : Math.round(medianOf(all, "inpMs")),
      cls: Number(medianOf(all, "cls").toFixed(4)),
      scriptsKiB: Number(medianOf(all, "scriptsKiB").toFixed(1)),
      scriptsAimKiB: scriptsKiB,
    };
    rows.push(row);
    const { lcpMs, tbtMs, inpMs, cls } = row;
    console.log(
      `${path.padEnd(20)}${[lcpMs, tbtMs, inpMs ?? "", cls, row.scriptsKiB, scriptsKiB].map((value) => String(value).padStart(10)).join("")}`,
    );
  }
  console.log(
    `aims: LCP ≤ ${AIM.lcpMs} ms, TBT ≤ ${AIM.tbtMs} ms, INP ≤ ${AIM.inpMs} ms, CLS ≤ ${AIM.cls}; medians of ${rounds} cold visits`,
  );
  mkdirSync(".data", { recursive: true });
  writeFileSync(
    ".data/bench-pages.json",
    `${JSON.stringify({ node: process.version, rounds, aim: AIM, rows }, null, 2)}\n`,
  );
} finally {
  await browser.close();
}
