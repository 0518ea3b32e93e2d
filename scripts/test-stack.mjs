// A whole stack for the journeys and proofs: in a directory of its own, on the market that the project makes itself.
import fs from "node:fs";
import path from "node:path";
import { root } from "./settings.mjs";
import { start, until } from "./proc.mjs";
import { state } from "./state.mjs";

const STACK_START_S = 600;

/** The market of the journeys, made by the project itself. */
async function fixtureTape() {
  // Not above: a fresh clone has no packages yet when this file is read.
  const { tsImport } = await import("tsx/esm/api");
  const market = await tsImport("../lib/proof/market/fixture-tape.ts", import.meta.url);
  return market.fixtureTape();
}

/** This installation as an application at Alpaca. A journey starts the exchange that stands in for Alpaca there; nothing listens before. */
export const APPLICATION = { client_id: "tradewind-of-the-journeys", client_secret: "client-secret-of-the-journeys" };

async function alpacaEnv(work) {
  const [paper, live] = [await state(work).port("alpaca"), await state(work).port("alpacaLive")];
  const at = `http://127.0.0.1:${paper}`;
  return {
    ALPACA_PAPER_URL: at,
    ALPACA_LIVE_URL: `http://127.0.0.1:${live}`,
    ALPACA_DATA_URL: at,
    ALPACA_OAUTH_CLIENT_ID: APPLICATION.client_id,
    ALPACA_OAUTH_CLIENT_SECRET: APPLICATION.client_secret,
    ALPACA_OAUTH_AUTHORIZE_URL: `${at}/oauth/authorize`,
    ALPACA_OAUTH_TOKEN_URL: `${at}/oauth/token`,
  };
}

/** What the tests bring themselves, and nothing of the developer's own installation. */
async function stackEnv(work) {
  const outside = ["DATABASE_URL", "REDIS_URL", "SMTP_URL", "EXCHANGE_URL", "APP_BASE_URL", "EXCHANGE_DATABASE_URL"];
  const keys = [
    "ALPACA_DATA_KEY_ID",
    "ALPACA_DATA_SECRET",
    "FINNHUB_TOKEN",
    "FMP_API_KEY",
    "ALPHA_VANTAGE_KEY",
    "SEC_CONTACT",
    "INSIGHT_PROVIDER",
    "ADMIN_EMAIL",
    "ADMIN_PASSWORD",
  ];
  return {
    ...Object.fromEntries([...outside, ...keys].map((name) => [name, ""])),
    ...(await alpacaEnv(work)),
    NO_ENV_FILE: "1",
    BUILD: "test",
    DATA_DIR: path.join(work, "stack"),
    THROW_AWAY_DATA: "1",
    EXCHANGE_TAPE: await fixtureTape(),
    // Seven weeks before its decline: at this speed there are twenty minutes in which the engine buys.
    EXCHANGE_START: "2020-01-06",
    EXCHANGE_SPEED: "600",
    EXCHANGE_SKIP_CLOSED: "1",
    DEMO: "1",
    // Four browsers open pages at once on cores that they share with what answers: none of these reads is one too many.
    WEB_READS_AT_ONCE: "64",
  };
}

/** Starts a stack, hands over its run file and the last lines that it said, and stops it. */
export async function withStack(work, use) {
  const env = await stackEnv(work);
  const port = await state(work).port("web");
  const stack = start("stack", process.execPath, ["scripts/start.mjs"], {
    cwd: root,
    env: { ...env, PORT: String(port) },
    graceS: 60,
    quiet: !process.env.VERBOSE,
  });
  try {
    const runFile = path.join(env.DATA_DIR, "run.json");
    await until(stack, () => fs.existsSync(runFile), STACK_START_S, "The stack");
    return await use(runFile, stack.tail);
  } finally {
    await stack.stop();
  }
}
