/** A path through the known values, evenly apart over a width; one that stands alone is a dot of its own. */
export function linePath(values: readonly (number | null)[], width: number, yOf: (value: number) => number): string {
  const step = values.length < 2 ? 0 : width / (values.length - 1);
  let path = "";
  for (const [i, value] of values.entries()) {
    if (value === null) continue;
    const place = `${(i * step).toFixed(1)} ${yOf(value).toFixed(1)}`;
    const before = values[i - 1] ?? null;
    path += before === null ? `M${place}h0.01` : `L${place}`;
  }
  return path;
}

/** Where a value stands in a box that all values fill, with air above and below; a flat line lies in the middle. */
export function scaleTo(values: readonly number[], height: number, air: number): (value: number) => number {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (value) => (high === low ? height / 2 : height - air - ((value - low) / (high - low)) * (height - 2 * air));
}
