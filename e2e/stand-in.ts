import { type ChildProcess, spawn } from "node:child_process";
import { expect } from "@playwright/test";
import { APPLICATION } from "../scripts/test-stack.mjs";
import { run } from "./run.ts";

const TOKEN = "control-token-of-a-journey";

export interface StandIn {
  /** A new account with keys as Alpaca's, on the US market. */
  openAccount(): Promise<{ id: string; accountNumber: string }>;
  /** Under which this installation acts at the moment, in clear. */
  tokens(): Promise<string[]>;
  /** What its owner does at Alpaca, under OAuth Apps. Answers how many grants ended. */
  revoke(accountNumber: string): Promise<number>;
  close(): Promise<void>;
}

/** The exchange in the place of Alpaca, at the address that this installation knows Alpaca by, and the installation registered there. */
export async function startStandIn(authorizeUrl: string): Promise<StandIn> {
  const { origin, port } = new URL(authorizeUrl);
  const child = spawn(process.execPath, ["--import", "tsx", "workers/exchange.ts"], {
    env: { ...process.env, EXCHANGE_PORT: port, EXCHANGE_START: "now", EXCHANGE_CONTROL_TOKEN: TOKEN },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const call = async (path: string, body?: object) => {
    const answer = await fetch(`${origin}/_control${path}`, {
      method: body ? "POST" : "GET",
      headers: { "content-type": "application/json", "x-control-token": TOKEN },
      ...(body && { body: JSON.stringify(body) }),
    });
    const told: unknown = await answer.json();
    expect(answer.status, `${path}: ${JSON.stringify(told)}`).toBeLessThan(300);
    return told;
  };
  try {
    await answers(`${origin}/_control/status`, child);
    await call("/oauth/clients", {
      ...APPLICATION,
      name: "Tradewind",
      redirect_uris: [`${run().url}/alpaca-keys/connect`],
    });
  } catch (error) {
    await ended(child);
    throw error;
  }
  return {
    async openAccount() {
      const told = (await call("/accounts", { keys: "alpaca" })) as { id: string; account_number: string };
      return { id: told.id, accountNumber: told.account_number };
    },
    async tokens() {
      const told = (await call("/oauth/tokens")) as { tokens: { access_token: string }[] };
      return told.tokens.map(({ access_token }) => access_token);
    },
    revoke: async (accountNumber) =>
      ((await call("/oauth/revoke", { account_number: accountNumber })) as { revoked: number }).revoked,
    close: () => ended(child),
  };
}

/** Its years of prices are drawn first. */
const answers = (url: string, child: ChildProcess) =>
  expect
    .poll(
      async () => {
        expect(child.exitCode, "the exchange ended").toBeNull();
        return fetch(url, { headers: { "x-control-token": TOKEN } }).then(
          ({ status }) => status,
          () => null,
        );
      },
      { message: "the exchange in Alpaca's place answers", timeout: 60_000 },
    )
    .toBe(200);

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });
}
