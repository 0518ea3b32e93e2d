import { vendorRoutes } from "../vendors/vendors.ts";
import { accountRoutes } from "./account.ts";
import { activityRoutes } from "./activities.ts";
import { assetRoutes } from "./assets.ts";
import { barRoutes } from "./bars.ts";
import { clockRoutes } from "./clock.ts";
import { corporateActionRoutes } from "./corporate-actions.ts";
import { historyRoutes } from "./history.ts";
import { newsRoutes } from "./news.ts";
import { orderRoutes } from "./orders.ts";
import { positionRoutes } from "./positions.ts";
import { quoteRoutes } from "./quotes.ts";
import type { Route } from "./router.ts";

/** Every endpoint of the exchange: trading, market data, vendors. */
export const routes: readonly Route[] = [
  ...orderRoutes,
  ...accountRoutes,
  ...positionRoutes,
  ...clockRoutes,
  ...activityRoutes,
  ...assetRoutes,
  ...historyRoutes,
  ...barRoutes,
  ...quoteRoutes,
  ...newsRoutes,
  ...corporateActionRoutes,
  ...vendorRoutes,
];
