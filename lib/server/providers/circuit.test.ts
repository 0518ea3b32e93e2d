import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { closeCircuits, noteOutcome, passCircuit } from "./circuit.ts";
import { readJson, urlOf } from "./fetch-json.ts";

beforeAll(() => useLeastEnv());
afterEach(closeCircuits);

const URL_A = new URL("https://a.example/x");
const isOpen = (now: number, url = URL_A, vendor: "Finnhub" | "FRED" = "Finnhub") => {
  try {
    passCircuit(vendor, url, now);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "unavailable" });
    return true;
  }
};
const fail = (times: number, now: number) => {
  for (let nth = 0; nth < times; nth += 1) noteOutcome("Finnhub", URL_A, false, now);
};

describe("the circuit of a vendor", () => {
  it("opens at the fifth failure in a row, for this vendor at this address alone", () => {
    fail(4, 0);
    expect(isOpen(0)).toBe(false);
    noteOutcome("Finnhub", URL_A, true, 0);
    fail(4, 0);
    expect(isOpen(0)).toBe(false);
    fail(1, 0);
    expect(isOpen(999)).toBe(true);
    expect(isOpen(0, new URL("https://b.example/x"))).toBe(false);
    expect(isOpen(0, URL_A, "FRED")).toBe(false);
  });

  it("lets one call through when its time is over; another failure doubles the pause, up to ten seconds", () => {
    fail(5, 0);
    let now = 0;
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
      expect(isOpen(now + pauseMs - 1)).toBe(true);
      now += pauseMs;
      expect(isOpen(now), "the trial").toBe(false);
      expect(isOpen(now), "one trial at a time").toBe(true);
      fail(1, now);
    }
  });

  it("an answer closes it, and a trial that never ended does not keep it open forever", () => {
    fail(5, 0);
    expect(isOpen(1_000)).toBe(false);
    expect(isOpen(15_999)).toBe(true);
    expect(isOpen(16_000)).toBe(false);
    noteOutcome("Finnhub", URL_A, true, 16_500);
    expect(isOpen(16_500)).toBe(false);
    fail(4, 16_500);
    expect(isOpen(16_500)).toBe(false);
  });
});

describe("a read of a vendor", () => {
  const schema = z.object({ ok: z.literal(true) });
  async function against(listener: RequestListener, ask: (read: () => Promise<unknown>) => Promise<void>) {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = urlOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "/x");
    await ask(() => readJson({ vendor: "Finnhub", operation: "quote" }, schema, url, { timeoutMs: 2_000 })).finally(
      () => server.close(),
    );
  }

  it("is made again after an error of the server or a lost connection, and succeeds where that passed", async () => {
    for (const status of [500, 502, 503, 504, 0]) {
      let asked = 0;
      await against(
        (request, response) => {
          asked += 1;
          if (asked === 1 && status === 0) request.socket.destroy();
          else response.writeHead(asked === 1 ? status : 200).end('{"ok":true}');
        },
        async (read) => expect(await read()).toEqual({ ok: true }),
      );
      expect(asked, String(status)).toBe(2);
    }
  });

  it("is not repeated after a refusal, a used-up limit or an answer of another form", async () => {
    for (const [status, body] of [
      [400, "{}"],
      [401, "{}"],
      [403, "{}"],
      [404, "{}"],
      [429, "{}"],
      [200, "{}"],
      [200, "<html>"],
    ] as const) {
      let asked = 0;
      await against(
        (_, response) => {
          asked += 1;
          response.writeHead(status).end(body);
        },
        async (read) => expect(read()).rejects.toBeInstanceOf(Failure),
      );
      expect(asked, `${status} ${body}`).toBe(1);
    }
  });

  it("is not made while the circuit is open, and is again when a caller asks for it", async () => {
    let asked = 0;
    let status = 503;
    await against(
      (_, response) => {
        asked += 1;
        response.writeHead(status).end('{"ok":true}');
      },
      async (read) => {
        for (let nth = 0; nth < 5; nth += 1) await expect(read()).rejects.toThrow("answered with status 503");
        expect(asked).toBe(10);
        await expect(read()).rejects.toThrow("Finnhub failed 5 times in a row. It is asked again in 1 s.");
        expect(asked).toBe(10);
        status = 200;
        closeCircuits();
        expect(await read()).toEqual({ ok: true });
      },
    );
  });
});
