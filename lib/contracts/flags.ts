import * as z from "zod";
import { FLAG_ENVIRONMENTS } from "@/lib/domain/enums.ts";
import { idIn, instantOut } from "./codecs.ts";
import { endpoint } from "./endpoint.ts";

export const featureFlagOut = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  environment: z.enum(FLAG_ENVIRONMENTS),
  createdAt: instantOut,
  /** Of the environment in force: what it says is what the product does. */
  isInForce: z.boolean(),
  /** The product acts on it; such a flag is switched, never deleted. */
  isBuiltIn: z.boolean(),
});

const toggleIn = z.strictObject({ id: idIn, enabled: z.boolean("Say whether the flag is enabled.") });
const createIn = z.strictObject({
  name: z
    .string("A name is required.")
    .trim()
    .min(1, "A name is required.")
    .max(80, "A name may have 80 characters at most."),
  description: z.string().trim().max(500, "A description may have 500 characters at most.").default(""),
  enabled: z.boolean().default(false),
  environment: z.enum(FLAG_ENVIRONMENTS, "Choose development, staging or production.").default("production"),
});

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
  list: endpoint({
    method: "GET",
    path: "/admin/feature-flags",
    access: "admin",
    limit: "admin",
    summary: "The feature flags of every environment, oldest first.",
    input: z.strictObject({}),
    output: z.array(featureFlagOut),
  }),
  save: endpoint({
    method: "POST",
    path: "/admin/feature-flags",
    access: "admin",
    limit: "admin",
    stepUp: "loosening",
    summary: "Switches a flag ({ id, enabled }), or creates one ({ name, description, enabled, environment }).",
    input: z.union([createIn, toggleIn]),
    output: featureFlagOut,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/admin/feature-flags/{id}",
    access: "admin",
    limit: "admin",
    summary: "Deletes a flag that the product does not act on.",
    input: z.strictObject({ id: idIn }),
    output: z.object({ id: z.string() }),
  }),
};
