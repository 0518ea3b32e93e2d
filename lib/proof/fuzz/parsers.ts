import { isIP } from "node:net";
import * as z from "zod";
import { allEndpoints } from "@/lib/contracts/api.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { GATE_CODES, GATE_OF } from "@/lib/domain/gates/gates.ts";
import { readCycleLine } from "@/lib/domain/insight/read-cycle-line.ts";
import { readOrderRequest } from "@/lib/exchange/book/order-request.ts";
import { Refusal } from "@/lib/exchange/book/refusal.ts";
import { readFault } from "@/lib/exchange/faults/kinds.ts";
import { decode, encode } from "@/lib/exchange/streams/msgpack.ts";
import { activityFromWire, executionFromWire } from "@/lib/server/broker/alpaca-activities.ts";
import {
  accountFromWire,
  clockFromWire,
  ordersFromWire,
  positionsFromWire,
  tradeUpdateFromWire,
} from "@/lib/server/broker/alpaca-mapping.ts";
import { readCursor, writeCursor } from "@/lib/server/cursor.ts";
import { parseAddress } from "@/lib/server/http/client-address.ts";
import { parseInput } from "@/lib/server/http/parse-input.ts";
import { readInput } from "@/lib/server/http/read-input.ts";
import { readUnsubscribeToken, writeUnsubscribeToken } from "@/lib/server/mail/unsubscribe-token.ts";
import { markedBy, readDeviceMark, writeDeviceMark } from "@/lib/server/secrets/device-mark.ts";
import { openKeys, sealKeys } from "@/lib/server/secrets/seal.ts";
import { newClaims, readToken, writeToken } from "@/lib/server/secrets/token.ts";
import { draw, spread, type Random } from "../model/random.ts";
import { doorOf } from "./doors.ts";
import { HOSTILE_JSON } from "./hostile.ts";
import { ACCOUNT, CLOCK, DIVIDEND, FILL, ID, ORDER, POSITION, SENT_ORDER, TRADE_UPDATE } from "./parser-samples.ts";

/** What reads text from outside: from callers, mails, browsers, the broker, vendors or the database. */
interface Parser {
  name: string;
  samples: string[];
  parse: (text: string) => unknown;
  /** What a text that is not understood may end with; anything else that is thrown is a fault. */
  refuses: (error: unknown) => boolean;
  /** What must hold of every value that is read: a sentence, or null. */
  problemOf?: (value: unknown, text: string) => string | null;
}

export interface ParserReport {
  inputs: number;
  accepted: number;
  /** Each with the parser's name, and the text that shows it. */
  faults: string[];
}

const isRefusal = (error: unknown) => error instanceof Failure && error.code !== "internal";
const isUnreadable = (error: unknown) => isRefusal(error) || error instanceof z.ZodError;
const json = (value: unknown) => JSON.stringify(value);
const never = (_: unknown) => false;

const AT = new Date("2026-11-20T15:00:00.000Z");
const [REFUSED] = GATE_CODES.map((code) => GATE_OF[code].label);
const BINDING = { userId: ID, accountId: ID, environment: "PAPER" as const };

/** A text that cannot be written without the key: no changed one may be taken. */
function signed(name: string, sample: string, read: (text: string) => unknown, refuses = never): Parser {
  return {
    name,
    samples: [sample],
    parse: read,
    refuses,
    problemOf: (value, text) => (value === null || text === sample ? null : "took a text that was never signed"),
  };
}

const endpoints = (): Parser[] =>
  allEndpoints.map((endpoint) => ({
    name: `${endpoint.method} ${endpoint.path}`,
    samples: [
      `{${doorOf(endpoint)
        .fields.map(([name, value]) => `${json(name)}:${value}`)
        .join(",")}}`,
    ],
    parse: async (text) => {
      const headers = { "content-type": "application/json" };
      const request = new Request("http://localhost/x", { method: "POST", body: text, headers });
      return parseInput(endpoint, await readInput(request, {}));
    },
    refuses: isRefusal,
  }));

/** An address and a cursor: what is read must be read again from what is written. */
const roundTrips = (): Parser[] => [
  {
    name: "an address in a header",
    samples: ["203.0.113.9:443", "[2001:db8::1]:443", "::ffff:10.0.0.1", "fe80::1%eth0", "2001:DB8:0:0:0:0:0:1"],
    parse: parseAddress,
    refuses: never,
    problemOf: (value) => {
      if (value === null) return null;
      const address = String(value);
      return isIP(address) > 0 && parseAddress(address) === address ? null : `took it for ${address}`;
    },
  },
  {
    name: "a cursor",
    samples: [writeCursor({ at: AT, id: ID })],
    parse: readCursor,
    refuses: isRefusal,
    problemOf: (value) => {
      const cursor = value as ReturnType<typeof readCursor>;
      return json(readCursor(writeCursor(cursor))) === json(cursor) ? null : "reads another place than it writes";
    },
  },
];

const signedTexts = (): Parser[] => [
  signed("a device's mark", writeDeviceMark(markedBy({ email: "ada@example.com", passwordHash: "hash" }), AT), (text) =>
    readDeviceMark(text, AT),
  ),
  signed("an unsubscribe link", writeUnsubscribeToken("weekly", ID), readUnsubscribeToken),
  signed("a bearer token", writeToken(newClaims({ userId: ID, jti: ID, tokenVersion: 0, at: AT })), (text) =>
    readToken(text, AT),
  ),
  signed(
    "sealed broker keys",
    sealKeys({ keyId: "PK123", secret: "s3cret" }, BINDING),
    (text) => openKeys(text, BINDING),
    isRefusal,
  ),
];

const cycleLine = (): Parser => ({
  name: "the line of a cycle",
  samples: [`15:30: 500 screened, 50 seated, 3 signals, 1 order: 2 ${REFUSED}`],
  parse: readCycleLine,
  refuses: never,
});

const fromBroker = (name: string, sample: unknown, read: (wire: unknown) => unknown): Parser => ({
  name: `broker: ${name}`,
  samples: [json(sample)],
  parse: (text) => read(JSON.parse(text)),
  // What is well-formed and makes no sense is a RangeError.
  refuses: (error) => isUnreadable(error) || error instanceof SyntaxError || error instanceof RangeError,
});

const brokerMessages = (): Parser[] => [
  fromBroker("orders", [ORDER], ordersFromWire),
  fromBroker("positions", [POSITION], positionsFromWire),
  fromBroker("account", ACCOUNT, accountFromWire),
  fromBroker("clock", CLOCK, clockFromWire),
  fromBroker("execution", FILL, executionFromWire),
  fromBroker("activity", DIVIDEND, activityFromWire),
  fromBroker("trade update", TRADE_UPDATE, tradeUpdateFromWire),
];

const exchangeRequests = (): Parser[] => [
  {
    name: "exchange: an order",
    samples: [json(SENT_ORDER)],
    parse: (text) => readOrderRequest(JSON.parse(text)),
    refuses: (error) => error instanceof Refusal || error instanceof SyntaxError,
  },
  {
    name: "exchange: a fault",
    samples: [json({ kind: "delay", ms: 100 })],
    parse: (text) => readFault(JSON.parse(text)),
    refuses: (error) => error instanceof Refusal || error instanceof z.ZodError || error instanceof SyntaxError,
  },
  {
    name: "exchange: MessagePack",
    samples: [encode([{ action: "subscribe", bars: ["AAPL"], at: AT }]).toString("latin1")],
    parse: (text) => decode(Buffer.from(text, "latin1")),
    refuses: (error) => error instanceof Error,
  },
];

/** Made anew for each run: they are signed with the keys of the environment. */
export function parsers(): Parser[] {
  return [...endpoints(), ...roundTrips(), ...signedTexts(), cycleLine(), ...brokerMessages(), ...exchangeRequests()];
}

const VALUE = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|\[\]|\{\}/g;
const CHARACTERS = ["\0", '"', "{", "}", "[", "]", ",", ":", ".", "-", "/", "\\", "é", "😀", "\ud800", "\u2028", "0", "9", "e", " ", "\n", "%"]; // oxfmt-ignore

/** A text that was changed in one to three places: a value for a hostile one, characters lost, doubled, swapped or put in. */
export function changed(random: Random, sample: string): string {
  let text = sample;
  for (let times = 1 + draw(random, 3); times > 0; times -= 1) {
    const values = [...text.matchAll(VALUE)];
    const value = values[draw(random, Math.max(1, values.length))];
    if (value && draw(random, 2) === 0) {
      const hostile = HOSTILE_JSON[draw(random, HOSTILE_JSON.length)]!;
      text = text.slice(0, value.index) + hostile + text.slice(value.index + value[0].length);
      continue;
    }
    const at = draw(random, text.length + 1);
    const length = 1 + draw(random, 8);
    const character = CHARACTERS[draw(random, CHARACTERS.length)]!;
    const part = text.slice(at, at + length);
    const instead = [character, "", part + part, [...part].reverse().join(""), part.toUpperCase()][draw(random, 5)]!;
    text = text.slice(0, at) + instead + text.slice(at + length);
  }
  return text;
}

/** Feeds changed texts to every parser in turn. */
export async function fuzzParsers(inputs: number, seed: number): Promise<ParserReport> {
  const all = parsers();
  const report: ParserReport = { inputs: 0, accepted: 0, faults: [] };
  for (let index = 0; index < inputs && report.faults.length < 10; index += 1) {
    const random: Random = { state: spread(spread(seed) + index) };
    const parser = all[index % all.length]!;
    const sample = parser.samples[draw(random, parser.samples.length)]!;
    // Some as they are: a parser that takes nothing would pass.
    const text = draw(random, 50) === 0 ? sample : changed(random, sample);
    const problem = await tryOne(parser, text, report);
    if (problem !== null) report.faults.push(`${parser.name} ${problem}: ${JSON.stringify(text.slice(0, 400))}`);
    report.inputs += 1;
  }
  return report;
}

async function tryOne({ parse, refuses, problemOf }: Parser, text: string, report: ParserReport) {
  let value: unknown;
  try {
    value = await parse(text);
    if (value !== null) report.accepted += 1;
  } catch (error) {
    return refuses(error) ? null : `threw ${String(error)}`;
  }
  const added = Object.keys(Object.prototype);
  return added.length > 0
    ? `changed the prototype of all objects (${added.join()})`
    : (problemOf?.(value, text) ?? null);
}
