// Until when a line of Node gets security fixes (https://github.com/nodejs/release#release-schedule). Odd lines end half a year after they begin.
const ENDS = { 20: "2026-04-30", 22: "2027-04-30", 24: "2028-04-30" };
const LONGEST = Math.max(...Object.keys(ENDS).map(Number));

/** One line of warning for a version that no longer gets security fixes, else null. Newer lines than are known here are not judged. */
export function supportWarning(version, now) {
  const major = Number(version.replace(/^v/, "").split(".")[0]);
  if (major > LONGEST) return null;
  const end = ENDS[major];
  if (end !== undefined && now.toISOString().slice(0, 10) <= end) return null;
  const since = end === undefined ? "gets no security fixes" : `has had no security fixes since ${end}`;
  return `WARNING: Node ${version} ${since}. Tradewind runs on it; take Node ${LONGEST} for anything that others can reach.`;
}
