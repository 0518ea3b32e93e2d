import { notFound } from "../book/refusal.ts";
import type { ExchangeState } from "../book/state.ts";
import { symbolState } from "../book/symbols.ts";
import type { Asset } from "../market/source.ts";
import { type Call, ok, type Reply, type Route, shared } from "./router.ts";

export function assetWire(state: ExchangeState, asset: Asset): Record<string, unknown> {
  const listing = symbolState(state, asset.symbol);
  return {
    id: asset.id,
    class: "us_equity",
    exchange: asset.exchange,
    symbol: asset.symbol,
    name: asset.name,
    status: listing.status,
    tradable: listing.tradable,
    marginable: listing.marginable,
    maintenance_margin_requirement: 30,
    margin_requirement_long: "30",
    margin_requirement_short: "30",
    shortable: listing.shortable,
    easy_to_borrow: listing.easyToBorrow,
    borrow_status: listing.easyToBorrow ? "easy_to_borrow" : "hard_to_borrow",
    fractionable: listing.fractionable,
    attributes: listing.fractionable ? ["fractional_eh_enabled"] : [],
  };
}

/** A filter of comma-separated values; null when it is absent. */
function listOf(query: URLSearchParams, name: string): Set<string> | null {
  const value = query.get(name);
  return value === null || value === "" ? null : new Set(value.split(","));
}

/** The assets that have traded by now, by exchange and symbol. */
function listAssets({ state, query }: Call): Reply {
  const status = query.get("status");
  const classes = listOf(query, "asset_class");
  const exchange = query.get("exchange");
  const attributes = listOf(query, "attributes");
  if (classes !== null && !classes.has("us_equity")) return ok([]);
  const known = state.market.symbols.flatMap((symbol) => state.market.assets.get(symbol) ?? []);
  const listed = known
    .filter((asset) => exchange === null || exchange === "" || asset.exchange === exchange)
    .filter((asset) => state.view.last(asset.symbol) !== undefined)
    .map((asset) => assetWire(state, asset))
    .filter((wire) => status === null || status === "" || status === "all" || wire.status === status)
    .filter((wire) => attributes === null || (wire.attributes as string[]).some((name) => attributes.has(name)));
  return ok(listed);
}

/** Finds an asset by symbol or id. Throws a Refusal. */
export function assetOf(state: ExchangeState, key: string): Asset {
  const bySymbol = state.market.assets.get(key);
  if (bySymbol !== undefined) return bySymbol;
  for (const asset of state.market.assets.values()) if (asset.id === key) return asset;
  throw notFound(`asset not found for ${key}`);
}

export const assetRoutes: Route[] = [
  shared("/v2/assets", listAssets),
  shared("/v2/assets/{symbol_or_asset_id}", ({ state, params }) =>
    ok(assetWire(state, assetOf(state, params[0] ?? ""))),
  ),
];
