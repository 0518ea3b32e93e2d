/** The key of a schedule row: the job and what it is for. */
export function scheduleKey(job: string, scope: string): string {
  return `${job}:${scope}`;
}
