import { notFound } from "../book/refusal.ts";
import type { Asset } from "../market/source.ts";
import { ok, type Route, data } from "./router.ts";

function assetWire(asset: Asset): Record<string, unknown> {
  return {
    id: asset.id,
    class: "us_equity",
    exchange: asset.exchange,
    symbol: asset.symbol,
    name: asset.name,
    status: "active",
    tradable: true,
    marginable: true,
    maintenance_margin_requirement: 30,
    margin_requirement_long: "30",
    margin_requirement_short: "100",
    shortable: false,
    easy_to_borrow: false,
    borrow_status: "hard_to_borrow",
    fractionable: true,
    attributes: [],
  };
}

export const assetRoutes: Route[] = [
  data("/v2/assets", ({ desk, query }) => {
    const status = query.get("status");
    const assetClass = query.get("asset_class");
    const exchange = query.get("exchange");
    const isNone =
      status === "inactive" || (assetClass !== null && assetClass !== "" && !assetClass.includes("us_equity"));
    const assets = isNone ? [] : desk.market.symbols.flatMap((symbol) => desk.market.assets.get(symbol) ?? []);
    const listed = assets.filter(
      (asset) =>
        (exchange === null || exchange === "" || asset.exchange === exchange) &&
        desk.view.last(asset.symbol) !== undefined,
    );
    return ok(listed.map(assetWire));
  }),
  data("/v2/assets/{symbol_or_asset_id}", ({ desk, params }) => {
    const key = params[0] ?? "";
    const asset =
      desk.market.assets.get(key) ?? [...desk.market.assets.values()].find((candidate) => candidate.id === key);
    if (asset === undefined) throw notFound(`asset not found for ${key}`);
    return ok(assetWire(asset));
  }),
];
