import { notFound } from "../book/refusal.ts";
import { ok, type Route, shared } from "./router.ts";

/** This market lists no options: the broker's answers where no contract fits. */
export const optionContractRoutes: Route[] = [
  shared("/v2/options/contracts", () => ok({ option_contracts: [], next_page_token: null })),
  shared("/v2/options/contracts/{symbol_or_id}", ({ params }) => {
    throw notFound(`option contract ${params[0] ?? ""} not found`);
  }),
];
