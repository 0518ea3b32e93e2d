/** Kept for each connection of a process, some 20 to 100 KB each on the side of Postgres. */
const NAMED_MOST = 300;
/** Texts that are counted and have no name yet. Lists of varying length make a new text each time: they come once and go. */
const COUNTED_MOST = 2_000;
/** A text that comes so often comes again. */
const NAMED_FROM = 3;
/** Longer ones write or read many rows at once: parsing is a small part of them. */
const TEXT_MOST = 8_000;
const ARGUMENTS_MOST = 60;
/** What reads or writes rows: there is nothing to plan in a begin or a commit. */
const OF_ROWS = /^\s*(?:select|insert|update|delete|with)\b/i;
/** Columns that follow the table: after a migration that adds one, Postgres refuses the plan that a connection kept. */
const ALL_COLUMNS = /(?:\bselect|\breturning|\.)\s*\*/i;
/** A list of values that is so long is seldom as long again: each length would take a name of its own. */
const LONG_LIST = /\bin \(\$\d+(?:,\$\d+){4,}\)/i;

/**
 * Names statements that come again and again. A named one is parsed once for a connection and, where its plan does not hang on the
 * arguments, planned once; short reads cost Postgres a third of what they cost without. The empty name is that of a statement
 * that is parsed each time. A name belongs to one text for as long as the process lives.
 */
export function createStatementNames(most = NAMED_MOST): (statement: { sql: string; args: unknown[] }) => string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return ({ sql, args }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= most || sql.length > TEXT_MOST || args.length > ARGUMENTS_MOST) return "";
    const count = (counts.get(sql) ?? 0) + 1;
    if (count < NAMED_FROM) {
      if (counts.size >= COUNTED_MOST) counts.clear();
      counts.set(sql, count);
      return "";
    }
    counts.delete(sql);
    if (!OF_ROWS.test(sql) || ALL_COLUMNS.test(sql) || LONG_LIST.test(sql)) return "";
    const name = `s${names.size + 1}`;
    names.set(sql, name);
    return name;
  };
}
