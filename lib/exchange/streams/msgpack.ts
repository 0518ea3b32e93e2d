import { Packr } from "msgpackr";

/** MessagePack as the market-data sockets speak it: plain maps, and dates as the timestamp extension. */
const codec = new Packr({
  useRecords: false,
  variableMapSize: true,
  encodeUndefinedAsNil: true,
  int64AsType: "number",
});

export const encode = (value: unknown): Buffer => codec.pack(value);

/** The value of one message. Throws on anything cut off, left over, too deep or of an unknown kind. */
export const decode = (bytes: Buffer): unknown => codec.unpack(bytes);

/** One list of messages that are encoded already. */
export function encodedList(messages: readonly Buffer[]): Buffer {
  // Lists of up to 65,535 messages: tag, then their number.
  const header = Buffer.from([0xdc, 0, 0]);
  header.writeUInt16BE(messages.length, 1);
  return Buffer.concat([header, ...messages]);
}
