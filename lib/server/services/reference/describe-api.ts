import { apiDocument } from "@/lib/contracts/api-document.ts";
import type { ApiDocument } from "@/lib/contracts/openapi.ts";

/** The OpenAPI document of this API. */
export async function describeApi(): Promise<ApiDocument> {
  return apiDocument();
}
