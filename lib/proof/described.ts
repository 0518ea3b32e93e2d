import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { schemaOf } from "@/lib/contracts/openapi.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** By the text of the schema: files of tests that share a process get endpoints of their own, which say the same. */
const shared = globalThis as unknown as { testValidators?: Map<string, ValidateFunction> };
const compiled = (shared.testValidators ??= new Map());
const validators = new WeakMap<Endpoint, ValidateFunction>();

function validatorOf(endpoint: Endpoint): ValidateFunction {
  const known = validators.get(endpoint);
  if (known) return known;
  const schema = schemaOf(endpoint.output, "output");
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? ajv.compile(schema);
  compiled.set(text, validate);
  validators.set(endpoint, validate);
  return validate;
}

/** Where an answer's data is not what the API's document says of it; empty where it is. */
export function deviations(endpoint: Endpoint, data: unknown): string[] {
  const validate = validatorOf(endpoint);
  if (validate(data)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = "" }) => `${instancePath} ${message}`);
}
