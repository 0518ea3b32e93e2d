/** `${NAME:-default}`, `${NAME-default}` and `${NAME:?sentence}`, by these values alone. */
export function interpolate(text, values) {
  return text.replace(/\$\{(\w+)(?:(:?)([-?])([^}]*))?\}/g, (_, name, colon, sign, rest) => {
    const value = values[name];
    if (value !== undefined && !(colon && value === "")) return value;
    if (sign === "?") throw new Error(`${name} is not set: ${rest}`);
    return rest ?? "";
  });
}
