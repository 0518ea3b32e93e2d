import { expect, it } from "vitest";
import { answerOf, createTradewind, TradewindError } from "./index.mjs";

const answeredBy = (response: () => Response) =>
  createTradewind({ url: "http://localhost", token: "twp_x", fetch: async () => response() });

async function failureOf(response: () => Response): Promise<unknown> {
  return answerOf(answeredBy(response).GET("/accounts")).catch((error: unknown) => error);
}

it("a page in place of an answer, such as a network's sign-in page, is a TradewindError", async () => {
  const failure = await failureOf(() => new Response("<h1>Sign in to the Wi-Fi</h1>", { status: 200 }));
  expect(failure).toBeInstanceOf(TradewindError);
  expect(failure).toMatchObject({ status: 200, code: null, message: "Tradewind answered with status 200." });
});

it("a gateway's own failure has a sentence and no code of Tradewind's", async () => {
  const failure = await failureOf(() =>
    Response.json({ error: { code: 504, message: "upstream" }, code: "gateway" }, { status: 504 }),
  );
  expect(failure).toBeInstanceOf(TradewindError);
  expect(failure).toMatchObject({ status: 504, code: null, message: "Tradewind answered with status 504." });
});

it("a network that cannot be reached is not taken for an answer", async () => {
  const unreachable = createTradewind({
    url: "http://localhost",
    token: "twp_x",
    fetch: async () => Promise.reject(new TypeError("fetch failed")),
  });
  await expect(answerOf(unreachable.GET("/accounts"))).rejects.toThrow(TypeError);
});
