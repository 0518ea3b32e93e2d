import path from "node:path";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import nextConfig from "./next.config.mjs";
import { installedChromium } from "./scripts/chromium.mjs";
import { SlowestFirst } from "./scripts/test-order.ts";

const resolve = { alias: { "@": path.resolve(import.meta.dirname) } };
const exclude = ["node_modules/**", ".next/**", "dist/**", ".data/**", "docs-site/**", "e2e/**", "scripts/fixtures/**"];

/** Time is asserted nowhere: a machine that others keep busy takes longer, and proves the same. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 15_000 } } };

/** As many as there are cores in continuous integration; Vitest itself would leave one of two idle. */
const maxWorkers = 2;
/** Some wait for programs and for the end of a timeout, for a sixth of their time. */
const maxUnitWorkers = 3;
/** They wait for the browser between two looks: with two, a fifth of the cores is idle. */
const maxComponentWorkers = 3;
/** They wait for Postgres, Redis, the exchange and programs of their own for more than half of their time. */
const maxServiceWorkers = 5;
/** What a test makes is discarded at once: with room for it, less is copied about by the collection of garbage. */
const execArgv = ["--max-semi-space-size=64"];
/** Each file makes the product's code anew and runs most of it a few times: to optimise it soon costs more than it brings. */
const serviceArgv = [...execArgv, "--interrupt-budget=1000000", "--liftoff-only"];

/** What screens import, made ready for the browser once. */
const BROWSER_PACKAGES = [
  "@simplewebauthn/browser",
  "@tanstack/react-query",
  "axe-core",
  "cmdk",
  "lightweight-charts",
  "lucide-react",
  "next/dist/shared/lib/app-dynamic",
  "next/dist/shared/lib/app-router-context.shared-runtime",
  "next/dist/shared/lib/hooks-client-context.shared-runtime",
  "next/navigation",
  "radix-ui",
  "react",
  "react-dom",
  "react-dom/client",
  "react/jsx-dev-runtime",
  "react/jsx-runtime",
  "sonner",
  "uqr",
];
/** The browser's build gets these in place of the server's (next.config.mjs). */
const browserAlias = Object.entries(nextConfig.turbopack?.resolveAlias ?? {}).flatMap(([name, to]) =>
  typeof to === "object" && "browser" in to ? [{ find: name, replacement: path.resolve(String(to.browser)) }] : [],
);
/** What the app router has for two names, and a link that needs no page behind it. */
const routerAlias = [
  { find: /^next\/dynamic$/, replacement: "next/dist/shared/lib/app-dynamic" },
  { find: /^next\/link$/, replacement: path.resolve("lib/proof/screen/link.tsx") },
];
const chromium = await installedChromium();

/**
 * `unit`: no service. `components`: screens in a browser, on answers of the tests. `recorded`: recorded days and the broker's documents beside the checkout. `services`: files named *.services.test.ts get their own database (from a
 * template), their own queue prefix and a real Redis.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: ["**/*.test.ts"],
          exclude: [...exclude, "**/*.services.test.ts", "**/*.recorded.test.ts"],
          environment: "node",
          execArgv,
          isolate: false,
          maxWorkers: maxUnitWorkers,
          ...patience,
          setupFiles: ["scripts/test-fresh.ts", "scripts/test-seed.ts"],
        },
      },
      {
        resolve,
        test: {
          name: "recorded",
          include: ["lib/proof/recorded/**/*.recorded.test.ts"],
          exclude,
          environment: "node",
          maxWorkers,
          ...patience,
          setupFiles: ["scripts/test-fresh.ts", "scripts/test-seed.ts"],
        },
      },
      {
        resolve,
        test: {
          name: "services",
          include: ["**/*.services.test.ts"],
          exclude,
          environment: "node",
          pool: "forks",
          execArgv: serviceArgv,
          isolate: false,
          maxWorkers: maxServiceWorkers,
          ...patience,
          globalSetup: ["scripts/test-services.mjs"],
          setupFiles: ["scripts/test-fresh.ts", "scripts/test-seed.ts", "scripts/test-database.ts"],
        },
      },
      {
        resolve: { alias: [...browserAlias, ...routerAlias, { find: "@", replacement: import.meta.dirname }] },
        define: { "process.env.NEXT_PUBLIC_API_BASE": "undefined" },
        // All of them, so that none is found while tests run, which would load the page anew.
        optimizeDeps: { noDiscovery: true, include: BROWSER_PACKAGES },
        test: {
          name: "components",
          include: ["app/**/*.component.test.tsx"],
          isolate: false,
          maxWorkers: maxComponentWorkers,
          ...patience,
          setupFiles: ["lib/proof/screen/set-up.ts"],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            instances: [{ browser: "chromium" }],
            provider: playwright({
              launchOptions: {
                ...(chromium ? { executablePath: chromium } : {}),
                args: [
                  "--headless",
                  "--no-sandbox",
                  "--disable-gpu",
                  "--no-first-run",
                  "--disable-background-networking",
                ],
              },
              contextOptions: { reducedMotion: "reduce" },
            }),
          },
        },
      },
    ],
  },
});
