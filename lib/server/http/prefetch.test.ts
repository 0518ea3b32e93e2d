import { beforeEach, describe, expect, it, vi } from "vitest";
import { useLeastEnv } from "@/lib/proof/fixtures/least-env.ts";
import { prefetch, type Read } from "./prefetch.ts";

const request = vi.hoisted(() => ({ headers: new Headers(), cookies: new Map<string, { value: string }>() }));
const limit = vi.hoisted(() => ({ isOver: false, points: 0 }));
vi.mock("./spend-limit.ts", () => ({
  spendForDocument: (_: string | null, requests: Request[]) => {
    limit.points += requests.length > 0 ? 1 : 0;
    return limit.isOver ? Promise.reject(new Error("too many")) : Promise.resolve();
  },
}));
vi.mock("next/headers", () => ({
  headers: () => Promise.resolve(request.headers),
  cookies: () => Promise.resolve(request.cookies),
}));
useLeastEnv();

const answer = (data: unknown) => Response.json({ success: true, data, error: null });
const readOf = (path: string, handler: Read["handler"]): Read => ({
  path,
  input: {},
  address: `/api/v1${path}`,
  parameters: {},
  handler,
});

describe("the answers of a document", () => {
  beforeEach(() => {
    request.headers = new Headers({
      "sec-fetch-dest": "document",
      "user-agent": "A phone",
      "x-forwarded-for": "192.0.2.7",
      "x-other": "stays behind",
    });
    request.cookies = new Map([["next-auth.session-token", { value: "the-token" }]]);
  });

  it("are asked of the handlers with the cookie's token, the caller's address and browser, and nothing else", async () => {
    const asked: Request[] = [];
    const parameters = { symbol: "SPY" };
    const handler: Read["handler"] = async (given, { params }) => {
      asked.push(given);
      return answer(await params);
    };
    const read = { ...readOf("/symbols/{symbol}", handler), address: "/api/v1/symbols/SPY?x=1", parameters };
    expect(await prefetch([read])).toEqual([{ path: "/symbols/{symbol}", input: {}, data: parameters }]);
    const [{ url, headers, method } = new Request("http://none")] = asked;
    expect([method, new URL(url).pathname, new URL(url).search]).toEqual(["GET", "/api/v1/symbols/SPY", "?x=1"]);
    expect(Object.fromEntries(headers)).toEqual({
      authorization: "Bearer the-token",
      "user-agent": "A phone",
      "x-forwarded-for": "192.0.2.7",
    });
  });

  it("leave out what is refused, and keep the rest in its order", async () => {
    const refused = readOf("/b", () => Promise.resolve(Response.json({ success: false }, { status: 403 })));
    const reads = [readOf("/a", async () => answer(1)), refused, readOf("/c", async () => answer(3))];
    expect((await prefetch(reads)).map(({ path, data }) => [path, data])).toEqual([
      ["/a", 1],
      ["/c", 3],
    ]);
  });

  it("leave out what takes longer than the document waits", async () => {
    vi.useFakeTimers();
    try {
      const never = readOf("/b", () => new Promise(() => {}));
      const answers = prefetch([readOf("/a", async () => answer(1)), never]);
      await vi.advanceTimersByTimeAsync(2000);
      expect((await answers).map(({ path }) => path)).toEqual(["/a"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are not asked for a page that the router opens, nor for a visitor without a cookie", async () => {
    const handler = vi.fn(async () => answer(1));
    request.headers.set("sec-fetch-dest", "empty");
    expect(await prefetch([readOf("/a", handler)])).toEqual([]);
    request.headers.set("sec-fetch-dest", "document");
    request.cookies.clear();
    expect(await prefetch([readOf("/a", handler)])).toEqual([]);
    expect(handler).not.toHaveBeenCalled();
  });

  it("take one point of the limit together, and are left to the screen where it is used up", async () => {
    const handler = vi.fn(async () => answer(1));
    limit.points = 0;
    expect(await prefetch([readOf("/a", handler), readOf("/b", handler)])).toHaveLength(2);
    expect(limit.points).toBe(1);
    limit.isOver = true;
    try {
      expect(await prefetch([readOf("/a", handler)])).toEqual([]);
    } finally {
      limit.isOver = false;
    }
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it("are not asked while reads wait for each other: the document comes, and its screen asks when there is time", async () => {
    const shared = globalThis as { tradewindAdmission?: object };
    shared.tradewindAdmission = { reads: 9, turnedAway: 0, isBusy: true };
    try {
      expect(await prefetch([readOf("/a", async () => answer(1))])).toEqual([]);
    } finally {
      delete shared.tradewindAdmission;
    }
  });

  it("are asked for where the browser does not say what it fetches, as at an address without TLS", async () => {
    request.headers.delete("sec-fetch-dest");
    expect(await prefetch([readOf("/a", async () => answer(1))])).toHaveLength(1);
  });
});
