import { allEndpoints } from "@/lib/contracts/api.ts";
import { type ApiDocument, apiDocumentOf } from "@/lib/contracts/openapi.ts";

/** Raised when calls change in a way that callers have to follow. */
const VERSION = "1";

let document: ApiDocument | undefined;

/** The OpenAPI document of this API; made at first use, as it takes a tenth of a second. */
export async function describeApi(): Promise<ApiDocument> {
  return (document ??= apiDocumentOf(allEndpoints, VERSION));
}
