import * as z from "zod";

/** A file on its way to a person: it is made while it is sent. A caller that does not want the rest of it cancels the body. */
export interface Download {
  /** Made by the server: letters, digits, dots and dashes. */
  fileName: string;
  body: ReadableStream<Uint8Array>;
}

export const downloadOut = z.custom<Download>();
