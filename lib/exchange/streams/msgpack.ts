/**
 * MessagePack as the market-data sockets speak it (https://github.com/msgpack/msgpack/blob/master/spec.md): numbers, text,
 * lists, maps, booleans, null, and dates as the timestamp extension.
 */

function header(tag: number, value: number, bytes: 1 | 2 | 4): Buffer {
  const result = Buffer.alloc(1 + bytes);
  result[0] = tag;
  result.writeUIntBE(value, 1, bytes);
  return result;
}

/** The beginning of a list of so many values; the values follow as they are. */
export function listHeader(length: number): Buffer {
  if (length < 16) return Buffer.from([0x90 | length]);
  return length < 0x10000 ? header(0xdc, length, 2) : header(0xdd, length, 4);
}

function mapHeader(length: number): Buffer {
  if (length < 16) return Buffer.from([0x80 | length]);
  return length < 0x10000 ? header(0xde, length, 2) : header(0xdf, length, 4);
}

function encodedText(value: string): Buffer {
  const bytes = Buffer.from(value, "utf8");
  const { length } = bytes;
  if (length < 32) return Buffer.concat([Buffer.from([0xa0 | length]), bytes]);
  if (length < 0x100) return Buffer.concat([header(0xd9, length, 1), bytes]);
  return Buffer.concat([length < 0x10000 ? header(0xda, length, 2) : header(0xdb, length, 4), bytes]);
}

function encodedNumber(value: number): Buffer {
  if (Number.isInteger(value) && value >= 0) {
    if (value < 0x80) return Buffer.from([value]);
    if (value < 0x100) return header(0xcc, value, 1);
    if (value < 0x10000) return header(0xcd, value, 2);
    if (value < 0x100000000) return header(0xce, value, 4);
  }
  if (Number.isInteger(value) && value >= -32 && value < 0) return Buffer.from([value & 0xff]);
  const result = Buffer.alloc(9);
  if (Number.isSafeInteger(value)) {
    result[0] = value < 0 ? 0xd3 : 0xcf;
    result.writeBigInt64BE(BigInt(value), 1);
  } else {
    result[0] = 0xcb;
    result.writeDoubleBE(value, 1);
  }
  return result;
}

/** Timestamp 96: nanoseconds, then seconds. */
function encodedDate(value: Date): Buffer {
  const ms = value.getTime();
  const seconds = Math.floor(ms / 1000);
  const result = Buffer.alloc(15);
  result.set([0xc7, 12, 0xff]);
  result.writeUInt32BE((ms - seconds * 1000) * 1_000_000, 3);
  result.writeBigInt64BE(BigInt(seconds), 7);
  return result;
}

export function encode(value: unknown): Buffer {
  if (value === null || value === undefined) return Buffer.from([0xc0]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "number") return encodedNumber(value);
  if (typeof value === "string") return encodedText(value);
  if (value instanceof Date) return encodedDate(value);
  if (Array.isArray(value)) return Buffer.concat([listHeader(value.length), ...value.map(encode)]);
  const entries = Object.entries(value as object).filter(([, inner]) => inner !== undefined);
  return Buffer.concat([
    mapHeader(entries.length),
    ...entries.flatMap(([key, inner]) => [encodedText(key), encode(inner)]),
  ]);
}

/** How deep a message may nest: what clients send has two levels. */
const DEPTH_MAX = 16;

/** The value of one message. Throws on anything cut off, left over, too deep or of an unknown kind. */
export function decode(bytes: Buffer): unknown {
  let at = 0;

  function take(length: number): Buffer {
    if (at + length > bytes.length) throw new RangeError("the message is cut off");
    at += length;
    return bytes.subarray(at - length, at);
  }
  const uint = (length: number) => take(length).readUIntBE(0, length);
  const text = (length: number) => take(length).toString("utf8");

  function list(length: number, depth: number): unknown[] {
    if (length > bytes.length - at) throw new RangeError("the message is cut off");
    return Array.from({ length }, () => value(depth + 1));
  }

  function map(length: number, depth: number): Record<string, unknown> {
    if (length > bytes.length - at) throw new RangeError("the message is cut off");
    const result: Record<string, unknown> = {};
    for (let i = 0; i < length; i += 1) {
      const key = value(depth + 1);
      if (typeof key !== "string" || key === "__proto__") throw new TypeError("a key is not text");
      result[key] = value(depth + 1);
    }
    return result;
  }

  function value(depth: number): unknown {
    if (depth > DEPTH_MAX) throw new RangeError("the message is too deep");
    const tag = uint(1);
    if (tag < 0x80) return tag;
    if (tag < 0x90) return map(tag & 0x0f, depth);
    if (tag < 0xa0) return list(tag & 0x0f, depth);
    if (tag < 0xc0) return text(tag & 0x1f);
    if (tag >= 0xe0) return tag - 0x100;
    switch (tag) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xca:
        return take(4).readFloatBE(0);
      case 0xcb:
        return take(8).readDoubleBE(0);
      case 0xcc:
        return uint(1);
      case 0xcd:
        return uint(2);
      case 0xce:
        return uint(4);
      case 0xcf:
        return Number(take(8).readBigUInt64BE(0));
      case 0xd0:
        return take(1).readInt8(0);
      case 0xd1:
        return take(2).readInt16BE(0);
      case 0xd2:
        return take(4).readInt32BE(0);
      case 0xd3:
        return Number(take(8).readBigInt64BE(0));
      case 0xd9:
        return text(uint(1));
      case 0xda:
        return text(uint(2));
      case 0xdb:
        return text(uint(4));
      case 0xdc:
        return list(uint(2), depth);
      case 0xdd:
        return list(uint(4), depth);
      case 0xde:
        return map(uint(2), depth);
      case 0xdf:
        return map(uint(4), depth);
      default:
        throw new TypeError(`unknown tag ${tag}`);
    }
  }

  const result = value(0);
  if (at !== bytes.length) throw new RangeError("the message has a tail");
  return result;
}
