import { createHash } from "node:crypto";
import { strToU8, Zip, ZipDeflate } from "fflate";

export interface ArchiveFile {
  /** Made by the server: no name in an archive comes from user input. */
  name: string;
  chunks: AsyncIterable<string>;
  /** How many rows the chunks held, once they have been read. */
  rows?: () => number;
}

interface Sealed {
  name: string;
  bytes: number;
  rows?: number;
  sha256: string;
  /** False where the archive had no room for the rest. */
  isWhole: boolean;
}

const NAME = /^[a-z0-9][a-z0-9-]*\.(csv|json)$/;
/** Of what is inside, before it is packed. */
const MOST_BYTES = 512 * 1024 * 1024;

/**
 * A zip, piece by piece, as fast as its reader takes it: no more than one chunk is in memory. Behind the files comes
 * manifest.json with the size, the number of rows and the SHA-256 of each.
 */
export async function* zipOf(
  files: Iterable<ArchiveFile>,
  about: Record<string, unknown>,
  { madeAt, mostBytes = MOST_BYTES }: { madeAt: Date; mostBytes?: number },
): AsyncGenerator<Uint8Array> {
  let packed: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    packed.push(piece);
  });
  const take = () => {
    const pieces = packed;
    packed = [];
    return pieces;
  };
  const open = (name: string) => {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = madeAt;
    zip.add(entry);
    return entry;
  };

  const sealed: Sealed[] = [];
  let total = 0;
  for (const { name, chunks, rows } of files) {
    if (!NAME.test(name)) throw new Error(`"${name}" is no name for a file of an archive`);
    const entry = open(name);
    const hash = createHash("sha256");
    let bytes = 0;
    let isWhole = true;
    for await (const chunk of chunks) {
      const plain = strToU8(chunk);
      if (total + plain.length > mostBytes) {
        isWhole = false;
        break;
      }
      total += plain.length;
      bytes += plain.length;
      hash.update(plain);
      entry.push(plain);
      yield* take();
    }
    entry.push(new Uint8Array(0), true);
    const count = rows === undefined ? {} : { rows: rows() };
    sealed.push({ name, bytes, ...count, sha256: hash.digest("hex"), isWhole });
    yield* take();
  }
  open("manifest.json").push(strToU8(`${JSON.stringify({ ...about, files: sealed }, null, 2)}\n`), true);
  zip.end();
  yield* take();
}

/** The generator as a stream that is read at its reader's pace; `onEnd` is called once, however it ends. */
export function streamOf(pieces: AsyncGenerator<Uint8Array>, onEnd: () => Promise<void>): ReadableStream<Uint8Array> {
  let isOver = false;
  const end = async () => {
    if (isOver) return;
    isOver = true;
    await onEnd();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (!done) return controller.enqueue(value);
          await end();
          controller.close();
        } catch (error) {
          await end();
          throw error;
        }
      },
      async cancel() {
        await pieces.return(undefined);
        await end();
      },
    },
    // Nothing is made before the first read.
    { highWaterMark: 0 },
  );
}
