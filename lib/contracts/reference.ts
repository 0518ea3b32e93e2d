import * as z from "zod";
import { endpoint } from "./endpoint.ts";
import type { ApiDocument } from "./openapi.ts";

export const referenceApi = {
  openapi: endpoint({
    method: "GET",
    path: "/openapi.json",
    access: "public",
    limit: "api",
    summary: "This document: every call with what it takes and answers, as OpenAPI 3.1.",
    isBare: true,
    input: z.strictObject({}),
    output: z.custom<ApiDocument>().meta({ type: "object" }),
  }),
};
