import { createHash } from "node:crypto";
import { strFromU8, unzipSync } from "fflate";
import { expect, it } from "vitest";
import { streamOf, zipOf } from "./archive.ts";

const madeAt = new Date("2026-11-20T15:00:00.000Z");

async function* texts(...chunks: string[]) {
  yield* chunks;
}

async function packed(...input: Parameters<typeof zipOf>): Promise<Record<string, string>> {
  const pieces: Uint8Array[] = [];
  for await (const piece of zipOf(...input)) pieces.push(piece);
  const files = Object.entries(unzipSync(Buffer.concat(pieces)));
  return Object.fromEntries(files.map(([name, bytes]) => [name, strFromU8(bytes)]));
}

it("every file comes out as it went in, and the manifest holds its size and its hash", async () => {
  const long = "0123456789äöü\r\n".repeat(40_000);
  const files = [
    { name: "one.csv", chunks: texts("a,b\r\n", long, "end\r\n") },
    { name: "nothing.csv", chunks: texts() },
  ];
  const { "manifest.json": manifest = "", ...found } = await packed(files, { userId: "u-1" }, { madeAt });
  expect(found).toEqual({ "one.csv": `a,b\r\n${long}end\r\n`, "nothing.csv": "" });
  const listed = Object.entries(found).map(([name, text]) => ({
    name,
    bytes: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex"),
    isWhole: true,
  }));
  expect(JSON.parse(manifest)).toEqual({ userId: "u-1", files: listed });
});

it("what has no room is left out, and the manifest says so", async () => {
  const files = [
    { name: "one.csv", chunks: texts("x".repeat(60), "y".repeat(60)) },
    { name: "two.csv", chunks: texts("z".repeat(30)) },
  ];
  const { "manifest.json": manifest = "", ...found } = await packed(files, {}, { madeAt, mostBytes: 100 });
  expect(found).toEqual({ "one.csv": "x".repeat(60), "two.csv": "z".repeat(30) });
  expect(JSON.parse(manifest)).toMatchObject({
    files: [
      { name: "one.csv", bytes: 60, isWhole: false },
      { name: "two.csv", bytes: 30, isWhole: true },
    ],
  });
});

it.each(["../one.csv", "/etc/passwd", "one.exe", "ONE.csv", "a/b.csv", "one.csv\0.txt", ""])(
  "%j is no name for a file of an archive",
  async (name) => {
    await expect(packed([{ name, chunks: texts("x") }], {}, { madeAt })).rejects.toThrow("no name");
  },
);

/** A file without end, and how many of its chunks were asked for. */
function endless() {
  const made = { chunks: 0 };
  async function* chunks() {
    for (;;) yield `${(made.chunks += 1)} ${"line of noise ".repeat(2_000)}\r\n`;
  }
  return { made, files: [{ name: "endless.csv", chunks: chunks() }] };
}

it("nothing is made before it is read, no more than the reader takes, and a reader who leaves ends it", async () => {
  const { made, files } = endless();
  let ends = 0;
  const stream = streamOf(zipOf(files, {}, { madeAt }), () => Promise.resolve(void (ends += 1)));
  expect(made.chunks).toBe(0);
  const reader = stream.getReader();
  for (let n = 0; n < 5; n += 1) expect((await reader.read()).done).toBe(false);
  expect(made.chunks).toBeLessThan(50);
  expect(ends).toBe(0);
  await reader.cancel();
  expect(ends).toBe(1);
});

it("the end is signalled once, whether the stream is read, breaks, or is never begun", async () => {
  const endsOf = async (pieces: AsyncGenerator<Uint8Array>, use: (stream: ReadableStream) => Promise<unknown>) => {
    let ends = 0;
    const stream = streamOf(pieces, () => Promise.resolve(void (ends += 1)));
    await use(stream);
    return ends;
  };
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    throw new Error("the database is unavailable");
  }
  const read = (stream: ReadableStream) => new Response(stream).arrayBuffer();
  expect(await endsOf(zipOf([], {}, { madeAt }), read)).toBe(1);
  expect(await endsOf(broken(), (stream) => expect(read(stream)).rejects.toThrow())).toBe(1);
  expect(await endsOf(zipOf([], {}, { madeAt }), (stream) => stream.cancel())).toBe(1);
});
