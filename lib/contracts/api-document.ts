import { allEndpoints } from "./api.ts";
import { type ApiDocument, apiDocumentOf } from "./openapi.ts";

let kept: ApiDocument | undefined;

/** The document of every call of /api/v1; made at first use, as it takes a tenth of a second. */
export const apiDocument = (): ApiDocument => (kept ??= apiDocumentOf(allEndpoints));
