/** Whether a boolean of a query is set, in any spelling that clients send: Python's True, Go's t and 1, JavaScript's true. */
const SET = new Set(["true", "t", "1", "yes", "y", "on"]);

export function flagOf(query: URLSearchParams, name: string): boolean {
  return SET.has((query.get(name) ?? "").trim().toLowerCase());
}
