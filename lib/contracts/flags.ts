import * as z from "zod";
import { endpoint } from "./endpoint.ts";

export const flagsApi = {
  read: endpoint({
    method: "GET",
    path: "/flags",
    access: "user",
    limit: "api",
    summary: "The feature flags of the environment in force, by name.",
    input: z.strictObject({}),
    output: z.record(z.string(), z.boolean()),
  }),
};
