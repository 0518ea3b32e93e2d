import type { MarketName } from "@/lib/domain/enums.ts";
import { type Money, money, ZERO } from "@/lib/domain/money.ts";
import { NO_SECTOR } from "@/lib/domain/sectors.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { type Db, Prisma } from "../../db.ts";

/** Sectors by symbol, as the latest selection that seated it knows them; a symbol that was never seated is absent. */
export async function readSectors(
  db: Db,
  accounts: readonly { market: MarketName }[],
  symbols: readonly string[],
): Promise<Map<string, string>> {
  if (symbols.length === 0) return new Map();
  const markets = [...new Set(accounts.map(({ market }) => market))];
  const rows = await db.$queryRaw<{ symbol: string; sector: string }[]>`
    select distinct on ("Seat"."symbol") "Seat"."symbol", "Seat"."sector"
    from "Seat" join "Selection" on "Selection"."id" = "Seat"."selectionId"
    where "Selection"."market"::text in (${Prisma.join(markets)}) and "Seat"."symbol" in (${Prisma.join([...symbols])})
    order by "Seat"."symbol", "Selection"."sessionDate" desc`;
  return new Map(rows.map(({ symbol, sector }) => [symbol, sector]));
}

/** What is held now by sector, USD at the latest prices, largest first. `equity` null: no share can be told. */
export async function readExposure(
  db: Db,
  accounts: readonly { id: string; market: MarketName }[],
  equity: Money | null,
): Promise<{ sector: string; value: Money; share: number | null }[]> {
  const positions = await db.position.findMany({
    where: { accountId: { in: accounts.map(({ id }) => id) }, marketValue: { not: null } },
    select: { symbol: true, marketValue: true },
  });
  const sectors = await readSectors(db, accounts, [...new Set(positions.map(({ symbol }) => symbol))]);
  const values = new Map<string, Money>();
  for (const { symbol, marketValue } of positions) {
    const sector = sectors.get(symbol) ?? NO_SECTOR;
    values.set(sector, (values.get(sector) ?? ZERO).plus(money(marketValue!)));
  }
  return [...values]
    .map(([sector, value]) => ({
      sector,
      value,
      share: equity === null || equity.lte(0) ? null : value.div(equity).toNumber(),
    }))
    .sort((a, b) => b.value.cmp(a.value) || byText(a.sector, b.sector));
}
