import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { schemaOf } from "@/lib/contracts/openapi.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

const validators = new WeakMap<Endpoint, ValidateFunction>();

function validatorOf(endpoint: Endpoint): ValidateFunction {
  let validate = validators.get(endpoint);
  if (!validate) validators.set(endpoint, (validate = ajv.compile(schemaOf(endpoint.output, "output"))));
  return validate;
}

/** Where an answer's data is not what the API's document says of it; empty where it is. */
export function deviations(endpoint: Endpoint, data: unknown): string[] {
  const validate = validatorOf(endpoint);
  if (validate(data)) return [];
  return (validate.errors ?? []).map(({ instancePath, message = "" }) => `${instancePath} ${message}`);
}
