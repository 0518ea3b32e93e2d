/** An answer's body that went on beyond what any true one has. */
export class AnswerTooLong extends Error {}

/** The whole body of an answer. Reads no further than `mostBytes`, and throws `AnswerTooLong` there. */
export async function readBounded({ body }: Response, mostBytes: number): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += (part as Uint8Array).byteLength;
    if (bytes > mostBytes) throw new AnswerTooLong(`the answer is longer than ${mostBytes} bytes`);
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts);
}
