import type { VendorKeys } from "../vendors/settings.ts";
import { vendorRoutes } from "../vendors/vendors.ts";
import { accountRoutes } from "./account.ts";
import { activityRoutes } from "./activities.ts";
import { announcementRoutes } from "./announcements.ts";
import { assetRoutes } from "./assets.ts";
import { auctionRoutes } from "./auctions.ts";
import { barRoutes } from "./bars.ts";
import { clockRoutes } from "./clock.ts";
import { corporateActionRoutes } from "./corporate-actions.ts";
import { historyRoutes } from "./history.ts";
import { marketClockRoutes } from "./market-clock.ts";
import { marketCodeRoutes } from "./market-codes.ts";
import { newsRoutes } from "./news.ts";
import { oauthRoutes } from "./oauth.ts";
import { optionContractRoutes } from "./option-contracts.ts";
import { orderRoutes } from "./orders.ts";
import { positionRoutes } from "./positions.ts";
import { quoteRoutes } from "./quotes.ts";
import type { Route } from "./router.ts";
import { screenerRoutes } from "./screener.ts";
import { tickRoutes } from "./ticks.ts";
import { watchlistRoutes } from "./watchlists.ts";

/** Every endpoint of the exchange: trading, market data, OAuth, vendors. */
export const routesOf = (vendorKeys: VendorKeys): readonly Route[] => [
  ...orderRoutes,
  ...accountRoutes,
  ...positionRoutes,
  ...clockRoutes,
  ...marketClockRoutes,
  ...activityRoutes,
  ...assetRoutes,
  ...optionContractRoutes,
  ...historyRoutes,
  ...announcementRoutes,
  ...watchlistRoutes,
  ...barRoutes,
  ...quoteRoutes,
  ...tickRoutes,
  ...auctionRoutes,
  ...marketCodeRoutes,
  ...screenerRoutes,
  ...newsRoutes,
  ...corporateActionRoutes,
  ...oauthRoutes,
  ...vendorRoutes(vendorKeys),
];
