import { type Call, ok, open, type Reply, type Route } from "../http/router.ts";
import { seedOf, uuidOf } from "../market/seeded.ts";
import { labelOf, scoreText } from "./sentiment.ts";
import { guarded } from "./settings.ts";

const MODEL = "practice-writer";
/** Sentences of a brief at most. */
const SENTENCES_MAX = 32;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const refusal = (status: number, message: string, code: string | null): Reply => ({
  status,
  body: { error: { message, type: "invalid_request_error", param: null, code } },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** A headline given as text, or as `{ id?, headline }`. */
function scored(item: unknown, place: number): Record<string, unknown> {
  const given = isObject(item) ? item : { headline: item };
  const headline = String(given.headline ?? given.text ?? "");
  const score = scoreText(headline);
  return { id: given.id ?? place, score, label: labelOf(score) };
}

/** A fact given as text, or as `{ id?, text }`: retold in one sentence that cites it. */
function rephrased(item: unknown, place: number, seed: number): Record<string, unknown> {
  const given = isObject(item) ? item : { text: item };
  const text = String(given.text ?? "")
    .trim()
    .replace(/\.$/, "");
  const openings = ["", "On record: ", "Noted: "];
  return { text: `${openings[seedOf(seed, place, text) % openings.length] ?? ""}${text}.`, cites: [given.id ?? place] };
}

/**
 * What the model says to a user's message: scores for `{ headlines: […] }`, one sentence for each of `{ facts: […] }`, and
 * for anything else how the text sounds. It adds nothing to what it is given, and the same question has the same answer.
 */
function answerTo(content: string, seed: number): unknown {
  const asked = parsed(content);
  if (isObject(asked) && Array.isArray(asked.headlines)) return { scores: asked.headlines.map(scored) };
  if (isObject(asked) && Array.isArray(asked.facts)) {
    const sentences = asked.facts.slice(0, SENTENCES_MAX).map((fact, i) => rephrased(fact, i, seed));
    return { insight: sentences.map(({ text }) => text).join(" "), sentences };
  }
  const score = scoreText(content);
  return { score, label: labelOf(score) };
}

const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

function textOf(message: unknown): string | null {
  if (!isObject(message)) return null;
  const { content } = message;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  return content.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : "")).join("");
}

function completion({ state, body }: Call): Reply {
  if (!isObject(body) || !Array.isArray(body.messages) || body.messages.length === 0)
    return refusal(400, "you must provide a messages parameter", null);
  if (body.stream === true) return refusal(400, "streaming is not supported by this model", "unsupported_value");
  const texts = body.messages.map(textOf);
  const last = body.messages.findLastIndex((message) => isObject(message) && message.role === "user");
  const question = texts[last];
  if (question === undefined || question === null || texts.includes(null))
    return refusal(400, "each message needs a role and content, and one must be the user's", null);
  const content = JSON.stringify(answerTo(question, state.market.seed));
  const prompt = texts.reduce((sum, text) => sum + countWords(text ?? ""), 0);
  return ok({
    id: `chatcmpl-${uuidOf(`${state.market.seed} ${texts.join("\n")}`)}`,
    object: "chat.completion",
    created: Math.floor(state.view.moment().nowMs / 1000),
    model: typeof body.model === "string" ? body.model : MODEL,
    choices: [
      { index: 0, message: { role: "assistant", content, refusal: null }, logprobs: null, finish_reason: "stop" },
    ],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: countWords(content),
      total_tokens: prompt + countWords(content),
    },
  });
}

/** An OpenAI-compatible endpoint: the key as a bearer token, 60 calls a minute. */
export function llmRoutes(key: string | undefined): Route[] {
  const guard = guarded(
    key,
    { calls: 60, per: "minute" },
    {
      given: ({ sent }) => /^Bearer (.+)$/i.exec(sent?.authorization ?? "")?.[1] ?? null,
      wrongKey: () => refusal(401, "Incorrect API key provided.", "invalid_api_key"),
      overLimit: () => refusal(429, "Rate limit reached for requests", "rate_limit_exceeded"),
    },
  );
  const models = { object: "list", data: [{ id: MODEL, object: "model", created: 0, owned_by: "practice-market" }] };
  return [
    open("/vendors/llm/v1/chat/completions", guard(completion), "POST"),
    open(
      "/vendors/llm/v1/models",
      guard(() => ok(models)),
    ),
  ];
}
