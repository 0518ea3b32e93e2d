/** True for a calendar day such as 2020-01-31, in the years for which the exchange's calendar can be asked. */
export function isDate(text: string): boolean {
  if (!/^(19[5-9]|20\d)\d-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00.000Z`);
  // 30 February parses as 1 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
