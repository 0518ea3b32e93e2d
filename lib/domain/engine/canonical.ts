/**
 * Canonical JSON (RFC 8785): keys sorted by UTF-16 code units, numbers as ECMAScript prints them, no white space. Keys
 * whose value is undefined are left out, as JSON does. Throws on NaN, infinities, undefined elsewhere, functions, symbols,
 * bigints and lone surrogates: what cannot be read back must not be signed.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new TypeError(`not a JSON number: ${value}`);
    return JSON.stringify(value);
  }
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null)
      throw new TypeError("only plain objects have a canonical form");
    const fields = value as Record<string, unknown>;
    let parts = "";
    for (const key of Object.keys(fields).sort()) {
      if (fields[key] === undefined) continue;
      parts += `${parts === "" ? "" : ","}${quoted(key)}:${canonicalJson(fields[key])}`;
    }
    return `{${parts}}`;
  }
  throw new TypeError(`no canonical form for ${typeof value}`);
}

function quoted(value: string): string {
  if (!value.isWellFormed()) throw new TypeError("a lone surrogate has no canonical form");
  return JSON.stringify(value);
}
