import * as z from "zod";
import { endpoint } from "./endpoint.ts";

export const healthApi = {
  live: endpoint({
    method: "GET",
    path: "/health/live",
    access: "public",
    limit: "api",
    summary: "The web process answers.",
    input: z.strictObject({}),
    output: z.object({ status: z.literal("ok") }),
  }),
  ready: endpoint({
    method: "GET",
    path: "/health/ready",
    access: "public",
    limit: "api",
    summary: "Database and worker are there; 503 with the reason otherwise.",
    input: z.strictObject({}),
    output: z.object({ status: z.literal("ok"), worker: z.literal("beating") }),
  }),
};
