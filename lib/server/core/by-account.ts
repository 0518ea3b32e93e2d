/** Rows of many accounts, account by account: each keeps the order in which its rows came. */
export function byAccount<Row extends { accountId: string }>(rows: readonly Row[]): (accountId: string) => Row[] {
  const grouped = new Map<string, Row[]>();
  for (const row of rows) {
    const own = grouped.get(row.accountId);
    if (own === undefined) grouped.set(row.accountId, [row]);
    else own.push(row);
  }
  return (accountId) => grouped.get(accountId) ?? [];
}
