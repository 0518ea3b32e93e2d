/** Made from the API's document by `npm run client`. Do not edit. */
export interface paths {
  "/accounts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The user's brokerage accounts, newest first.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getAccounts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/accounts/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Pause or resume an account. A paused account buys nothing; exits and stops keep working.
     * @description For people who are signed in. Open to access tokens with the scope STEER. Counted by the rate limits of the group "api".
     */
    patch: operations["patchAccountsId"];
    trace?: never;
  };
  "/automation/heartbeat": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether automation is running in one environment, when it last looked at its market and when it looks next. Without an account there it has never looked.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getAutomationHeartbeat"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/automation/market": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The clock of the market that the user's accounts of one environment trade on.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getAutomationMarket"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/automation/pause": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Whether the user has paused automation.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getAutomationPause"];
    put?: never;
    /**
     * Pause automation in all accounts: nothing is bought, open purchase orders are cancelled, exits and stops keep working.
     * @description For people who are signed in. Open to access tokens with the scope STEER. Counted by the rate limits of the group "api".
     */
    post: operations["postAutomationPause"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/automation/resume": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resume automation.
     * @description For people who are signed in. Open to access tokens with the scope STEER. Counted by the rate limits of the group "api".
     */
    post: operations["postAutomationResume"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/backtests": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The user's backtests, newest first, and what the best of them is worth.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getBacktests"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/backtests/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One backtest with all its results.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getBacktestsId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/backtests/{id}/grid": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Which settings of a backtest can be varied, and the last result.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getBacktestsIdGrid"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/backtests/options": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What a backtest can be run on, and the user's own settings to begin with.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getBacktestsOptions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/decisions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the automation decided for the user's accounts of one environment, newest first.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getDecisions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/decisions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One decision: every candidate with its gates, margins and nearest flip, and what was ordered.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getDecisionsId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/flags": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The feature flags of the environment in force, by name.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getFlags"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/insight/daily": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The insight of the day: what the records say about the latest session of one environment.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getInsightDaily"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/insight/decisions/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Why no trade: what a decision did and what kept it from more, in words; of one stock where it is named.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getInsightDecisionsId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/insight/today": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The answer of the dashboard: how the day goes, what was done and why, what comes next and whether anything is wrong, with the day in lines.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getInsightToday"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/insight/trades/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Why this trade: what its records say, in words.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getInsightTradesId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/logs/daily-review": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What the automation did in one environment on the New York day of its market: stocks reviewed and orders executed; for administrators over all users.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getLogsDailyReview"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/logs/tail": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The last events of the user's own automation, newest last; for administrators those of the whole system.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getLogsTail"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/performance": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The figures of the metric registry for one environment, with the statement that reconciles them to equity.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPerformance"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/performance/markers": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Filled orders of one environment as marks on its equity line, oldest first; at most the latest 1,000.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPerformanceMarkers"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/performance/trips": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Closed round trips of one environment, latest exit first.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPerformanceTrips"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/performance/weeks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Weeks of one environment in which a session ended or runs, newest first, each with its result.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPerformanceWeeks"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/performance/weeks/{week}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * A week of one environment: its result beside SPY, sessions, round trips, holdings and refusals.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPerformanceWeeksWeek"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/portfolio/equity": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The equity line of one environment: closing points of past sessions and the running session's points.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPortfolioEquity"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/portfolio/position-lines": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The price of each open position of one environment at the closes since it was opened.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPortfolioPositionLines"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/portfolio/positions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Open positions of one environment, which each of them names, largest first.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPortfolioPositions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/portfolio/summary": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Portfolio figures over the user's active accounts of one environment.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPortfolioSummary"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/positions/{accountId}/{symbol}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One open position: its price between stop and target, what is at risk, and what ends it.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPositionsAccountIdSymbol"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/positions/{accountId}/{symbol}/sell": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Sell a position, or a part of it, at market: SELL and the symbol have to be typed. Its protective stop is cancelled first, and what is not sold gets one again. Passes every kill switch; refused while the market is closed.
     * @description For people who are signed in. Open to access tokens with the scope STEER. Counted by the rate limits of the group "api".
     */
    post: operations["postPositionsAccountIdSymbolSell"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/positions/{accountId}/{symbol}/tighten-stop": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Raise the stop that protects a position: the symbol has to be typed. Only upwards, and below the price; the position is covered at every step.
     * @description For people who are signed in. Open to access tokens with the scope STEER. Counted by the rate limits of the group "api".
     */
    post: operations["postPositionsAccountIdSymbolTightenStop"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/positions/requests/{requestId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The outcome of a manual sale.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPositionsRequestsRequestId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/preferences/preview/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The progress and the result of a try of settings.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPreferencesPreviewId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/preferences/strategies": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * What each strategy and level of risk does, in words with the numbers of the policy in force, and the history of each strategy.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPreferencesStrategies"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/preferences/trading": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * How the automation trades for the user.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getPreferencesTrading"];
    /**
     * Save all trading preferences. They apply from the next decision on. With basedOn, the preferences as they were read, a field that is sent back as it was read and was changed since is not overwritten: the answer is 409, and nothing is saved. Without it all are taken as they are sent.
     * @description For people who are signed in. Open to access tokens with the scope STEER. Where the call loosens a protection, the sign-in must have been confirmed within the last five minutes. Counted by the rate limits of the group "api".
     */
    put: operations["putPreferencesTrading"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/symbols/{symbol}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One symbol: price, score, news and earnings, what the user did in it, and why it is or is not held now.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getSymbolsSymbol"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/symbols/{symbol}/bars": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Daily bars of a symbol, two years at most, with its averages over 50 and 200 sessions.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getSymbolsSymbolBars"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/trades": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * The user's own trades of one environment, newest first unless sorted otherwise.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getTrades"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/trades/{id}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * One of the user's trades: why it was made, its gates, fills, slippage, lots and round trip.
     * @description For people who are signed in. Open to access tokens with the scope READ or STEER. Counted by the rate limits of the group "api".
     */
    get: operations["getTradesId"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Failure: {
      /** @enum {string} */
      code:
        | "invalid_input"
        | "unauthenticated"
        | "forbidden"
        | "email_unverified"
        | "step_up_required"
        | "second_factor_required_of_admin"
        | "not_found"
        | "method_not_allowed"
        | "timed_out"
        | "conflict"
        | "account_busy"
        | "payload_too_large"
        | "unsupported_media"
        | "too_many_requests"
        | "internal"
        | "not_implemented"
        | "broker_refused"
        | "broker_unavailable"
        | "unavailable"
        | "overloaded";
      data: null;
      /** @description A sentence for a person. */
      error: string;
      /** @description The fields that are wrong, where the input is. */
      issues?: {
        message: string;
        path: string;
      }[];
      /** @description Names the request in the logs. */
      requestId: string;
      /** @constant */
      success: false;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getAccounts: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              /** @enum {string} */
              access: "KEYS" | "OAUTH";
              accountNumberEnd: string | null;
              /** @enum {string} */
              accountType: "INDIVIDUAL" | "JOINT" | "TRUST" | "CORPORATE";
              alpacaKey: string | null;
              /** @enum {string} */
              broker: "PRACTICE" | "ALPACA";
              canKeep: boolean;
              /** Format: date-time */
              createdAt: string;
              /** @enum {string} */
              environment: "PAPER" | "LIVE";
              equity: number | null;
              equityAsOf: string | null;
              haltAdvice: string | null;
              haltReason: string | null;
              hasKeys: boolean;
              id: string;
              isClosing: boolean;
              name: string | null;
              openQuestions: {
                /** Format: date-time */
                decidedAt: string;
                needsPerson: boolean;
                what: string;
                why: string | null;
              }[];
              otherPositions: number;
              positions: {
                count: number;
                value: number;
              };
              reconciledAt: string | null;
              /** @enum {string} */
              status: "ACTIVE" | "INACTIVE" | "PAUSED";
              stop: {
                source: ("OWNER" | "ADMIN" | "DRAWDOWN") | null;
                /** @enum {string} */
                state: "NO_NEW_ENTRIES" | "REDUCE_ONLY" | "FLATTEN";
                text: string;
              } | null;
            }[];
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  patchAccountsId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          status: "ACTIVE" | "PAUSED";
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              /** @enum {string} */
              access: "KEYS" | "OAUTH";
              accountNumberEnd: string | null;
              /** @enum {string} */
              accountType: "INDIVIDUAL" | "JOINT" | "TRUST" | "CORPORATE";
              alpacaKey: string | null;
              /** @enum {string} */
              broker: "PRACTICE" | "ALPACA";
              /** Format: date-time */
              createdAt: string;
              /** @enum {string} */
              environment: "PAPER" | "LIVE";
              haltReason: string | null;
              hasKeys: boolean;
              heldBy: string | null;
              id: string;
              name: string | null;
              /** @enum {string} */
              status: "ACTIVE" | "INACTIVE" | "PAUSED";
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getAutomationHeartbeat: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              coalesced: number;
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              hasChosenStrategy: boolean;
              hasDecided: boolean;
              isInitialized: boolean;
              lastDecision: {
                bought: number;
                /** Format: date-time */
                decidedAt: string;
                entries: number;
                id: string;
                orders: number;
                reasons: string[];
                screened: number;
                seated: number;
                signals: number;
              } | null;
              limitation: string | null;
              marketScreening: {
                lastRunAt: string | null;
                nextRunAt: string | null;
                /** @enum {string} */
                status: "RUNNING" | "IDLE" | "STOPPED";
              };
              orderStatusUpdate: {
                lastRunAt: string | null;
                /** @enum {string} */
                status: "RUNNING" | "IDLE" | "STOPPED";
              };
              pausedReason: string | null;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getAutomationMarket: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              isOpen: boolean;
              /** @enum {string} */
              market: "PRACTICE" | "US";
              /** Format: date-time */
              nextClose: string;
              /** Format: date-time */
              nextOpen: string;
              /** Format: date-time */
              now: string;
              /** Format: date-time */
              readAt: string;
              speed: number;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getAutomationPause: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              isPaused: boolean;
              reason: string | null;
              since: string | null;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  postAutomationPause: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          reason?: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              isPaused: boolean;
              reason: string | null;
              since: string | null;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  postAutomationResume: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              isPaused: boolean;
              reason: string | null;
              since: string | null;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getBacktests: {
    parameters: {
      query?: {
        cursor?: string;
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              backtests: {
                cash: number;
                /** Format: date-time */
                createdAt: string;
                error: string | null;
                finishedAt: string | null;
                /** Format: date */
                from: string;
                id: string;
                isStalled: boolean;
                /** @enum {string} */
                market: "PRACTICE" | "US";
                name: string;
                outcome: {
                  finalEquity: number;
                  maxDrawdown: number | null;
                  sharpe: number | null;
                  totalReturn: number | null;
                  trips: number;
                } | null;
                progress: {
                  done: number;
                  readPercent: number | null;
                  total: number | null;
                };
                startedAt: string | null;
                /** @enum {string} */
                status: "QUEUED" | "RUNNING" | "DONE" | "FAILED" | "CANCELED";
                /** @enum {string} */
                strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
                /** Format: date */
                to: string;
              }[];
              overfit: {
                bestId: string | null;
                deflated: number | null;
                deflatedText: string | null;
                exposure: number | null;
                /** @enum {string} */
                market: "PRACTICE" | "US";
                sharpe: number | null;
                /** @enum {string} */
                strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
                text: string;
                tries: number;
              }[];
              pagination: {
                limit: number;
                nextCursor: string | null;
              };
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getBacktestsId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              cash: number;
              /** Format: date-time */
              createdAt: string;
              error: string | null;
              finishedAt: string | null;
              /** Format: date */
              from: string;
              id: string;
              isStalled: boolean;
              /** @enum {string} */
              market: "PRACTICE" | "US";
              name: string;
              outcome: {
                finalEquity: number;
                maxDrawdown: number | null;
                sharpe: number | null;
                totalReturn: number | null;
                trips: number;
              } | null;
              policyVersion: string;
              progress: {
                done: number;
                readPercent: number | null;
                total: number | null;
              };
              result: {
                answer: {
                  band: {
                    estimate: number;
                    high: number;
                    low: number;
                  } | null;
                  bandText: string;
                  capacity: string | null;
                  exposure: number | null;
                  holdings: {
                    annual: number | null;
                    maxDrawdown: number | null;
                    name: string;
                    reason: string | null;
                    totalReturn: number | null;
                  }[];
                  luck: string;
                  method: {
                    blockSessions: number;
                    resamples: number;
                  };
                  missing: string[];
                  parts: {
                    /** Format: date */
                    from: string;
                    index: number | null;
                    luck: string;
                    matched: number | null;
                    strategy: number;
                    /** Format: date */
                    to: string;
                  }[];
                  regression: {
                    alpha: number;
                    alphaT: number | null;
                    beta: number;
                    sessions: number;
                  } | null;
                  spreads:
                    | {
                        finalEquity: number;
                        maxDrawdown: number;
                        multiple: number;
                        spreadBps: number;
                        totalReturn: number;
                        trips: number;
                      }[]
                    | null;
                  tries: string | null;
                  verdict: string;
                };
                assumptions: string[];
                byExit: {
                  fees: number;
                  group: string;
                  meanFraction: number;
                  pnl: number;
                  trades: number;
                  winRate: number | null;
                }[];
                byRegimeAtEntry: {
                  fees: number;
                  group: string;
                  meanFraction: number;
                  pnl: number;
                  trades: number;
                  winRate: number | null;
                }[];
                bySector: {
                  fees: number;
                  group: string;
                  meanFraction: number;
                  pnl: number;
                  trades: number;
                  winRate: number | null;
                }[];
                costs: {
                  fees: number;
                  impact: number;
                  spread: number;
                  total: number;
                  totalBps: number | null;
                };
                days: {
                  /** Format: date-time */
                  at: string;
                  equity: number;
                  exposure: number;
                  index: number | null;
                  /** Format: date */
                  session: string;
                  universe: number | null;
                }[];
                engineVersion: string;
                figures: {
                  definition: string;
                  id: string;
                  name: string;
                  reason: string | null;
                  source: string;
                  /** @enum {string} */
                  unit: "fraction" | "share" | "ratio" | "USD" | "count" | "sessions" | "probability";
                  value: number | null;
                  version: number;
                }[];
                halted: {
                  reason: string;
                  /** Format: date */
                  session: string;
                } | null;
                months: {
                  index: number | null;
                  month: number;
                  value: number;
                  year: number;
                }[];
                openPositions: {
                  averagePrice: number;
                  lastPrice: number;
                  /** Format: date */
                  opened: string;
                  quantity: number;
                  symbol: string;
                  unrealised: number;
                }[];
                overfit: {
                  bestId: string | null;
                  deflated: number | null;
                  deflatedText: string | null;
                  exposure: number | null;
                  /** @enum {string} */
                  market: "PRACTICE" | "US";
                  sharpe: number | null;
                  /** @enum {string} */
                  strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
                  text: string;
                  tries: number;
                };
                refusals: {
                  count: number;
                  gate: string;
                  text: string;
                  word: string;
                }[];
                regimeDays: {
                  meanExposure: number;
                  pnl: number;
                  /** @enum {string} */
                  regime: "risk_on" | "neutral" | "risk_off";
                  sessions: number;
                }[];
                symbolCount: number;
                trips: {
                  /** Format: date */
                  closed: string;
                  entryPrice: number;
                  /** @enum {string} */
                  entryRegime: "risk_on" | "neutral" | "risk_off";
                  exit: string;
                  exitPrice: number;
                  fees: number;
                  name: string;
                  /** Format: date */
                  opened: string;
                  /** @enum {string} */
                  outcome: "WIN" | "LOSS" | "SCRATCH";
                  pnl: number;
                  pnlFraction: number;
                  quantity: number;
                  sector: string | null;
                  sessionsHeld: number;
                  symbol: string;
                }[];
              } | null;
              settings: {
                defaultOrderSize: number;
                maxPositions: number;
                maxPositionValue: number;
                profitTarget: number;
                /** @enum {string} */
                riskLevel: "LOW" | "MEDIUM" | "HIGH";
                /** @enum {string} */
                riskTolerance: "low" | "medium" | "high";
                stopLoss: number;
                /** @enum {string} */
                strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
              };
              startedAt: string | null;
              /** @enum {string} */
              status: "QUEUED" | "RUNNING" | "DONE" | "FAILED" | "CANCELED";
              /** @enum {string} */
              strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
              /** Format: date */
              to: string;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getBacktestsIdGrid: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              axes: {
                /** @enum {string} */
                axis: "MAX_POSITIONS" | "POSITION_SIZE" | "PROFIT_TARGET" | "STOP_LOSS";
                hint: string;
                label: string;
                own: number;
                values: string[];
              }[];
              grid: {
                columns: {
                  /** @enum {string} */
                  axis: "MAX_POSITIONS" | "POSITION_SIZE" | "PROFIT_TARGET" | "STOP_LOSS";
                  hint: string;
                  label: string;
                  own: number;
                  values: string[];
                };
                error: string | null;
                finishedAt: string | null;
                id: string;
                isStalled: boolean;
                progress: {
                  done: number;
                  readPercent: number | null;
                  total: number;
                };
                result: {
                  cells: {
                    exposure: {
                      reason: string | null;
                      value: number | null;
                    };
                    maxDrawdown: {
                      reason: string | null;
                      value: number | null;
                    };
                    sharpe: {
                      reason: string | null;
                      value: number | null;
                    };
                    totalReturn: {
                      reason: string | null;
                      value: number | null;
                    };
                    trades: {
                      reason: string | null;
                      value: number | null;
                    };
                  }[][];
                  drift: string | null;
                  sentence: string;
                  tries: string;
                } | null;
                rows: {
                  /** @enum {string} */
                  axis: "MAX_POSITIONS" | "POSITION_SIZE" | "PROFIT_TARGET" | "STOP_LOSS";
                  hint: string;
                  label: string;
                  own: number;
                  values: string[];
                };
                /** @enum {string} */
                status: "QUEUED" | "RUNNING" | "DONE" | "FAILED" | "CANCELED";
              } | null;
              played: {
                /** @enum {string} */
                columns: "MAX_POSITIONS" | "POSITION_SIZE" | "PROFIT_TARGET" | "STOP_LOSS";
                /** @enum {string} */
                rows: "MAX_POSITIONS" | "POSITION_SIZE" | "PROFIT_TARGET" | "STOP_LOSS";
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getBacktestsOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              defaults: {
                cash: number;
                /** @enum {string} */
                market: "PRACTICE" | "US";
                settings: {
                  defaultOrderSize: number;
                  maxPositions: number;
                  maxPositionValue: number;
                  profitTarget: number;
                  /** @enum {string} */
                  riskLevel: "LOW" | "MEDIUM" | "HIGH";
                  /** @enum {string} */
                  riskTolerance: "low" | "medium" | "high";
                  stopLoss: number;
                  /** @enum {string} */
                  strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
                };
              };
              kept: number;
              markets: {
                /** @enum {string} */
                market: "PRACTICE" | "US";
                reason: string | null;
                sessions: {
                  /** Format: date */
                  first: string;
                  /** Format: date */
                  last: string;
                } | null;
              }[];
              strategies: ("MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT")[];
              waiting: number;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getDecisions: {
    parameters: {
      query?: {
        accountId?: string;
        cursor?: string;
        date?: string;
        environment?: "LIVE" | "PAPER" | "PRACTICE";
        hasOrders?: "true" | "false";
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              decisions: {
                account: {
                  /** @enum {string} */
                  environmentLabel: "LIVE" | "PAPER" | "PRACTICE";
                  id: string;
                  name: string;
                };
                bought: number;
                cycleId: string;
                /** Format: date-time */
                decidedAt: string;
                entries: number;
                id: string;
                line: string;
                orders: number;
                reasons: string[];
                screened: number;
                seated: number;
                signals: number;
              }[];
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              keptDays: number | null;
              pagination: {
                limit: number;
                nextCursor: string | null;
              };
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getDecisionsId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              account: {
                automationOff: string | null;
                buyingPower: number;
                cash: number;
                /** @enum {string} */
                environmentLabel: "LIVE" | "PAPER" | "PRACTICE";
                equity: number;
                haltReason: string | null;
                id: string;
                killState: string;
                name: string;
                positions: number;
                /** @enum {string} */
                strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
              };
              bought: number;
              candidates: {
                composite: number | null;
                confidence: number | null;
                failing: string[];
                gates: {
                  closeness: number | null;
                  code: string;
                  detail: string;
                  isWarning: boolean;
                  margin: number | null;
                  marginText: string | null;
                  name: string;
                  passed: boolean;
                  text: string;
                  word: string;
                }[];
                hasSignal: boolean;
                isBought: boolean;
                liquidity: number | null;
                missing: {
                  code: string;
                  text: string;
                }[];
                name: string | null;
                nearestFlip: string | null;
                noSignal: string | null;
                rank: number | null;
                sector: string | null;
                sentiment: number | null;
                size: {
                  boundBy: string;
                  notional: number;
                  quantity: number;
                } | null;
                symbol: string;
                technical: number | null;
                tradeId: string | null;
              }[];
              closest: string[];
              cycleId: string;
              /** Format: date-time */
              decidedAt: string;
              eligible: number;
              engineVersion: string;
              entries: number;
              groups: {
                code: string | null;
                symbols: string[];
                text: string;
              }[];
              id: string;
              inputHash: string;
              line: string;
              /** @enum {string} */
              market: "PRACTICE" | "US";
              ordered: {
                decisionPrice: number;
                leg: number;
                purpose: string;
                quantity: number;
                reason: string;
                /** @enum {string} */
                side: "BUY" | "SELL";
                status:
                  | (
                      | "PLANNED"
                      | "GATED"
                      | "DENIED"
                      | "SUBMITTING"
                      | "UNKNOWN"
                      | "PARKED"
                      | "LIVE"
                      | "FILLED"
                      | "CANCELED"
                      | "REJECTED"
                      | "EXPIRED"
                      | "HALTED"
                    )
                  | null;
                symbol: string;
                tradeId: string | null;
              }[];
              orders: number;
              outputHash: string;
              policyVersion: string;
              reasons: string[];
              regime: {
                /** @enum {string} */
                label: "risk_on" | "neutral" | "risk_off";
                vix: number | null;
                votes: number;
              };
              screened: number;
              seated: number;
              /** Format: date */
              sessionDate: string;
              signals: number;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getFlags: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              [key: string]: boolean;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getInsightDaily: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              brief: {
                /** Format: date-time */
                asOf: string;
                headline: {
                  isAmount: boolean;
                  text: string;
                }[];
                isClosed: boolean;
                model: string | null;
                sentences: {
                  cites: {
                    href: string;
                    label: string;
                  }[];
                  parts: {
                    isAmount: boolean;
                    text: string;
                  }[];
                }[];
                /** Format: date */
                session: string;
                /** @enum {string} */
                writer: "TRADEWIND" | "MODEL";
              } | null;
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              isOn: boolean;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getInsightDecisionsId: {
    parameters: {
      query?: {
        symbol?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              explanation: {
                model: string | null;
                sentences: {
                  cites: {
                    href: string;
                    label: string;
                  }[];
                  parts: {
                    isAmount: boolean;
                    text: string;
                  }[];
                }[];
                /** @enum {string} */
                writer: "TRADEWIND" | "MODEL";
              } | null;
              isOn: boolean;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getInsightToday: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              /** @enum {string} */
              action: "PAUSE" | "RESUME" | "RESUME_ACCOUNT" | "ADD_ACCOUNT" | "FIX_KEYS" | "NONE";
              asOf: string | null;
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              hasInsight: boolean;
              headline: {
                isAmount: boolean;
                text: string;
              }[];
              health: {
                isWrong: boolean;
                sentence: {
                  cites: {
                    href: string;
                    label: string;
                  }[];
                  parts: {
                    isAmount: boolean;
                    text: string;
                  }[];
                };
              };
              sentences: {
                cites: {
                  href: string;
                  label: string;
                }[];
                parts: {
                  isAmount: boolean;
                  text: string;
                }[];
              }[];
              session: string | null;
              timeline: {
                /** Format: date-time */
                at: string;
                href: string;
                /** @enum {string} */
                kind: "LOOKED" | "BOUGHT" | "SOLD" | "STOP_RAISED" | "REFUSED";
                parts: {
                  isAmount: boolean;
                  text: string;
                }[];
                until: string | null;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getInsightTradesId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              explanation: {
                model: string | null;
                sentences: {
                  cites: {
                    href: string;
                    label: string;
                  }[];
                  parts: {
                    isAmount: boolean;
                    text: string;
                  }[];
                }[];
                /** @enum {string} */
                writer: "TRADEWIND" | "MODEL";
              } | null;
              isOn: boolean;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getLogsDailyReview: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              decisions: number;
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              executed: number;
              reviewed: number;
              sessionDate: string | null;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getLogsTail: {
    parameters: {
      query?: {
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              logs: {
                account: {
                  /** @enum {string} */
                  environmentLabel: "LIVE" | "PAPER" | "PRACTICE";
                  name: string;
                } | null;
                accountId: string | null;
                cycleId: string | null;
                decisionId: string | null;
                id: string;
                /** @enum {string} */
                level: "debug" | "info" | "warn" | "error";
                marketAt: string | null;
                message: string;
                /** Format: date-time */
                timestamp: string;
                user: {
                  email: string;
                  firstName: string;
                  lastName: string;
                } | null;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPerformance: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
        from?: string;
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              accounts: number;
              asOf: string | null;
              best: {
                account: {
                  id: string;
                  name: string;
                };
                /** Format: date-time */
                closedAt: string;
                entryTradeId: string | null;
                entryValue: number;
                exitReason: string | null;
                exitTradeId: string | null;
                exitValue: number;
                fees: number;
                id: string;
                /** Format: date-time */
                openedAt: string;
                /** @enum {string} */
                outcome: "WIN" | "LOSS" | "SCRATCH";
                pnl: number;
                pnlFraction: number | null;
                quantity: number;
                regime: string | null;
                strategy: string | null;
                symbol: string;
              }[];
              byExit: {
                key: string;
                losses: number;
                name: string;
                pnl: number;
                profitFactor: number | null;
                trips: number;
                winRate: number | null;
                wins: number;
              }[];
              byRegime: {
                key: string;
                losses: number;
                name: string;
                pnl: number;
                profitFactor: number | null;
                trips: number;
                winRate: number | null;
                wins: number;
              }[];
              bySector: {
                key: string;
                losses: number;
                name: string;
                pnl: number;
                profitFactor: number | null;
                trips: number;
                winRate: number | null;
                wins: number;
              }[];
              byStrategy: {
                key: string;
                losses: number;
                name: string;
                pnl: number;
                profitFactor: number | null;
                trips: number;
                winRate: number | null;
                wins: number;
              }[];
              bySymbol: {
                key: string;
                losses: number;
                name: string;
                pnl: number;
                profitFactor: number | null;
                trips: number;
                winRate: number | null;
                wins: number;
              }[];
              comparison: {
                at: string | null;
                /** Format: date */
                firstSession: string;
                hasOwnStart: boolean;
                /** Format: date */
                lastSession: string;
                spy: number;
                value: number;
              } | null;
              days: {
                equity: number;
                flow: number;
                pnl: number;
                /** Format: date */
                session: string;
                value: number | null;
              }[];
              distribution: {
                from: number | null;
                to: number | null;
                trips: number;
              }[];
              earnedBefore: number;
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              equity: number | null;
              exposure: {
                sector: string;
                share: number | null;
                value: number;
              }[];
              fall: {
                peak: string | null;
                recovered: string | null;
                /** Format: date */
                trough: string;
              } | null;
              figures: {
                id: string;
                reason: string | null;
                value: number | null;
              }[];
              firstSession: string | null;
              lastSession: string | null;
              newestDay: string | null;
              sessions: number;
              statement: {
                deposits: number;
                dividends: number;
                equity: number;
                fees: number;
                hasOtherAssets: boolean;
                realized: number;
                unread: number;
                unrealized: number;
              } | null;
              symbols: number;
              trips: {
                losses: number;
                scratches: number;
                total: number;
                wins: number;
              };
              worst: {
                account: {
                  id: string;
                  name: string;
                };
                /** Format: date-time */
                closedAt: string;
                entryTradeId: string | null;
                entryValue: number;
                exitReason: string | null;
                exitTradeId: string | null;
                exitValue: number;
                fees: number;
                id: string;
                /** Format: date-time */
                openedAt: string;
                /** @enum {string} */
                outcome: "WIN" | "LOSS" | "SCRATCH";
                pnl: number;
                pnlFraction: number | null;
                quantity: number;
                regime: string | null;
                strategy: string | null;
                symbol: string;
              }[];
              years: {
                months: {
                  month: number;
                  spy: number | null;
                  value: number | null;
                }[];
                spy: number | null;
                value: number | null;
                year: number;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPerformanceMarkers: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
        from?: string;
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              markers: {
                /** Format: date-time */
                at: string;
                price: number;
                /** @enum {string} */
                side: "BUY" | "SELL";
                symbol: string;
                tradeId: string;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPerformanceTrips: {
    parameters: {
      query?: {
        cursor?: string;
        environment?: "LIVE" | "PAPER" | "PRACTICE";
        exit?: string;
        from?: string;
        limit?: number;
        outcome?: "WIN" | "LOSS" | "SCRATCH";
        regime?: "risk_on" | "neutral" | "risk_off" | "none";
        strategy?: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT" | "none";
        symbol?: string;
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              pagination: {
                limit: number;
                nextCursor: string | null;
              };
              trips: {
                account: {
                  id: string;
                  name: string;
                };
                /** Format: date-time */
                closedAt: string;
                entryTradeId: string | null;
                entryValue: number;
                exitReason: string | null;
                exitTradeId: string | null;
                exitValue: number;
                fees: number;
                id: string;
                /** Format: date-time */
                openedAt: string;
                /** @enum {string} */
                outcome: "WIN" | "LOSS" | "SCRATCH";
                pnl: number;
                pnlFraction: number | null;
                quantity: number;
                regime: string | null;
                strategy: string | null;
                symbol: string;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPerformanceWeeks: {
    parameters: {
      query?: {
        before?: string;
        environment?: "LIVE" | "PAPER" | "PRACTICE";
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              hasMore: boolean;
              weeks: {
                isRunning: boolean;
                /** Format: date */
                monday: string;
                pnl: number;
                sessions: number;
                value: number | null;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPerformanceWeeksWeek: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path: {
        week: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              asOf: string | null;
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              figures: {
                besideSessions: number;
                best: {
                  pnl: number;
                  reason: string | null;
                  symbol: string;
                } | null;
                bought: {
                  orders: number;
                  value: number;
                };
                equityEnd: number;
                equityStart: number | null;
                exits: {
                  count: number;
                  pnl: number;
                  reason: string;
                }[];
                fees: number;
                halts: {
                  account: string;
                  /** Format: date-time */
                  at: string;
                  reason: string;
                }[];
                losses: number;
                netDeposits: number;
                pnl: number;
                realizedPnl: number;
                scratches: number;
                sold: {
                  orders: number;
                  value: number;
                };
                spy: number | null;
                value: number | null;
                wins: number;
                worst: {
                  pnl: number;
                  reason: string | null;
                  symbol: string;
                } | null;
              } | null;
              /** Format: date */
              friday: string;
              headline: {
                isAmount: boolean;
                text: string;
              }[];
              held: {
                account: {
                  id: string;
                  name: string;
                };
                atStop: number | null;
                isOpen: boolean;
                /** Format: date-time */
                openedAt: string;
                paid: number | null;
                quantity: number | null;
                stop: number | null;
                symbol: string;
              }[];
              isRunning: boolean;
              /** Format: date */
              monday: string;
              moreTrips: number;
              next: string | null;
              previous: string | null;
              refusals: {
                decisions: number;
                groups: {
                  code: string;
                  decisions: number;
                  text: string;
                }[];
              } | null;
              risk: {
                atStops: number;
                unknown: number;
              };
              sessions: {
                pnl: number | null;
                regime: ("risk_on" | "neutral" | "risk_off") | null;
                /** Format: date */
                session: string;
                value: number | null;
              }[];
              trips: {
                account: {
                  id: string;
                  name: string;
                };
                /** Format: date-time */
                closedAt: string;
                entryTradeId: string | null;
                entryValue: number;
                exitReason: string | null;
                exitTradeId: string | null;
                exitValue: number;
                fees: number;
                id: string;
                /** Format: date-time */
                openedAt: string;
                /** @enum {string} */
                outcome: "WIN" | "LOSS" | "SCRATCH";
                pnl: number;
                pnlFraction: number | null;
                quantity: number;
                regime: string | null;
                strategy: string | null;
                symbol: string;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPortfolioEquity: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              benchmark: {
                /** Format: date-time */
                at: string;
                value: number;
              }[];
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              points: {
                /** Format: date-time */
                at: string;
                equity: number;
                netDeposits: number;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPortfolioPositionLines: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              lines: {
                accountId: string;
                closes: number[];
                symbol: string;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPortfolioPositions: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              accountId: string;
              averagePrice: number;
              currentPrice: number | null;
              /** @enum {string} */
              environmentLabel: "LIVE" | "PAPER" | "PRACTICE";
              marketValue: number | null;
              /** Format: date-time */
              openedAt: string;
              quantity: number;
              stopDistancePercent: number | null;
              stopPrice: number | null;
              strategy: ("MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT") | null;
              symbol: string;
              targetDistancePercent: number | null;
              targetPrice: number | null;
              unrealizedPnL: number | null;
              unrealizedPnLPercent: number | null;
            }[];
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPortfolioSummary: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              accounts: {
                id: string;
                isInDay: boolean;
                isInMonth: boolean;
                isInSums: boolean;
                isInWeek: boolean;
                name: string;
              }[];
              asOf: string | null;
              buyingPower: number;
              cash: number;
              dayTradeCount: number;
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              pnlDay: number;
              pnlMonth: number;
              pnlSinceAdded: number;
              pnlTotal: number;
              pnlWeek: number;
              positions: {
                accountId: string;
                averagePrice: number;
                currentPrice: number | null;
                /** @enum {string} */
                environmentLabel: "LIVE" | "PAPER" | "PRACTICE";
                marketValue: number | null;
                /** Format: date-time */
                openedAt: string;
                quantity: number;
                stopDistancePercent: number | null;
                stopPrice: number | null;
                strategy: ("MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT") | null;
                symbol: string;
                targetDistancePercent: number | null;
                targetPrice: number | null;
                unrealizedPnL: number | null;
                unrealizedPnLPercent: number | null;
              }[];
              totalPnL: number;
              totalPnLPercent: number | null;
              totalValue: number;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPositionsAccountIdSymbol: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        accountId: string;
        symbol: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              account: {
                id: string;
                name: string;
              };
              atRisk: number | null;
              dayChange: {
                amount: number;
                percent: number;
                /** Format: date */
                since: string;
              } | null;
              ends: {
                date: string | null;
                /** @enum {string} */
                kind: "STOP" | "TARGET" | "CLOSE" | "TIME" | "REVIEW" | "NOTE";
                price: number | null;
                text: string;
              }[];
              /** @enum {string} */
              environment: "LIVE" | "PAPER" | "PRACTICE";
              levels: {
                accountId: string;
                /** Format: date-time */
                from: string;
                id: string;
                isFilled: boolean;
                isRaised: boolean;
                /** @enum {string} */
                kind: "STOP" | "TARGET";
                price: number;
                quantity: number | null;
                to: string | null;
              }[];
              /** @enum {string} */
              market: "PRACTICE" | "US";
              name: string | null;
              pnlAtStop: number | null;
              position: {
                accountId: string;
                averagePrice: number;
                currentPrice: number | null;
                /** @enum {string} */
                environmentLabel: "LIVE" | "PAPER" | "PRACTICE";
                marketValue: number | null;
                /** Format: date-time */
                openedAt: string;
                quantity: number;
                stopDistancePercent: number | null;
                stopPrice: number | null;
                strategy: ("MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT") | null;
                symbol: string;
                targetDistancePercent: number | null;
                targetPrice: number | null;
                unrealizedPnL: number | null;
                unrealizedPnLPercent: number | null;
              };
              price: number | null;
              priceAt: string | null;
              priceSession: string | null;
              protectedQuantity: number;
              sector: string | null;
              sessionsHeld: number;
              strategyLabel: string | null;
              symbol: string;
              trades: {
                accountId: string;
                /** Format: date-time */
                at: string;
                averagePrice: number | null;
                filledQuantity: number;
                id: string;
                quantity: number | null;
                reason: string | null;
                /** @enum {string} */
                side: "BUY" | "SELL";
                /** @enum {string} */
                status: "FILLED" | "PENDING" | "CANCELLED" | "REJECTED";
                totalValue: number;
              }[];
              trips: {
                accountId: string;
                closedAt: string | null;
                entryReason: string | null;
                entryValue: number;
                exitReason: string | null;
                exitValue: number;
                fees: number;
                id: string;
                /** Format: date-time */
                openedAt: string;
                outcome: ("WIN" | "LOSS" | "SCRATCH") | null;
                pnl: number;
                quantityBought: number;
                quantitySold: number;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  postPositionsAccountIdSymbolSell: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        accountId: string;
        symbol: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          confirmation: string;
          qty?: number | null;
          /** Format: uuid */
          requestId: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              accountId: string;
              averagePrice: number | null;
              filledQuantity: number;
              message: string;
              quantity: number | null;
              /** Format: date-time */
              requestedAt: string;
              requestId: string;
              /** @enum {string} */
              state: "sent" | "filled" | "ended" | "asking" | "not_sent";
              symbol: string;
              tradeId: string | null;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  postPositionsAccountIdSymbolTightenStop: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        accountId: string;
        symbol: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          confirmation: string;
          /** Format: uuid */
          requestId: string;
          stopPrice: number;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              accountId: string;
              message: string;
              requestId: string;
              stopBefore: number | null;
              stopPrice: number;
              symbol: string;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPositionsRequestsRequestId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        requestId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              accountId: string;
              averagePrice: number | null;
              filledQuantity: number;
              message: string;
              quantity: number | null;
              /** Format: date-time */
              requestedAt: string;
              requestId: string;
              /** @enum {string} */
              state: "sent" | "filled" | "ended" | "asking" | "not_sent";
              symbol: string;
              tradeId: string | null;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPreferencesPreviewId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              basis: string;
              cash: number;
              error: string | null;
              /** Format: date */
              from: string;
              id: string;
              isStalled: boolean;
              /** @enum {string} */
              market: "PRACTICE" | "US";
              progress: {
                done: number;
                readPercent: number | null;
                total: number | null;
              };
              result: {
                draft: {
                  best: {
                    isOpen: boolean;
                    pnl: number;
                    symbol: string;
                  } | null;
                  daysInvested: number;
                  halted: string | null;
                  lost: number;
                  maxDrawdown: number;
                  open: number;
                  pnl: number;
                  purchases: number;
                  refused: {
                    count: number;
                    gate: string;
                    text: string;
                    word: string;
                  } | null;
                  totalReturn: number;
                  won: number;
                  worst: {
                    isOpen: boolean;
                    pnl: number;
                    symbol: string;
                  } | null;
                };
                saved: {
                  best: {
                    isOpen: boolean;
                    pnl: number;
                    symbol: string;
                  } | null;
                  daysInvested: number;
                  halted: string | null;
                  lost: number;
                  maxDrawdown: number;
                  open: number;
                  pnl: number;
                  purchases: number;
                  refused: {
                    count: number;
                    gate: string;
                    text: string;
                    word: string;
                  } | null;
                  totalReturn: number;
                  won: number;
                  worst: {
                    isOpen: boolean;
                    pnl: number;
                    symbol: string;
                  } | null;
                } | null;
                sentence: string;
              } | null;
              sessions: number;
              /** @enum {string} */
              status: "QUEUED" | "RUNNING" | "DONE" | "FAILED" | "CANCELED";
              /** Format: date */
              to: string;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPreferencesStrategies: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              account: {
                /** @enum {string} */
                environment: "LIVE" | "PAPER" | "PRACTICE";
                equity: number;
                label: string;
              } | null;
              common: string;
              riskLevel: {
                high: string;
                low: string;
                medium: string;
              };
              riskTolerance: {
                high: string;
                low: string;
                medium: string;
              };
              strategies: {
                does: string[];
                history: {
                  basis: string;
                  cash: number;
                  /** Format: date-time */
                  computedAt: string;
                  exposure: number;
                  /** Format: date */
                  from: string;
                  indexReturn: number | null;
                  label: string;
                  /** @enum {string} */
                  market: "PRACTICE" | "US";
                  maxDrawdown: number;
                  points: {
                    index: number | null;
                    /** Format: date */
                    session: string;
                    strategy: number;
                  }[];
                  policyVersion: string;
                  sentence: string;
                  sessions: number;
                  /** Format: date */
                  to: string;
                  totalReturn: number;
                  trades: number;
                  winRate: number | null;
                } | null;
                historyReason: string | null;
                holds: string;
                label: string;
                /** @enum {string} */
                strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
                struggles: string;
                trades: string;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getPreferencesTrading: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              checkInterval: number;
              defaultOrderSize: number;
              maxPositions: number;
              maxPositionValue: number;
              paperTradingOnly: boolean;
              profitTarget: number;
              /** @enum {string} */
              riskLevel: "LOW" | "MEDIUM" | "HIGH";
              /** @enum {string} */
              riskTolerance: "low" | "medium" | "high";
              stopLoss: number;
              /** @enum {string} */
              strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  putPreferencesTrading: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          basedOn?: {
            checkInterval?: string | number | boolean;
            defaultOrderSize?: string | number | boolean;
            maxPositions?: string | number | boolean;
            maxPositionValue?: string | number | boolean;
            paperTradingOnly?: string | number | boolean;
            profitTarget?: string | number | boolean;
            riskLevel?: string | number | boolean;
            riskTolerance?: string | number | boolean;
            stopLoss?: string | number | boolean;
            strategy?: string | number | boolean;
          };
          checkInterval: number;
          defaultOrderSize: number;
          maxPositions: number;
          maxPositionValue: number;
          paperTradingOnly: boolean;
          /** @description In steps of 0.1. */
          profitTarget: number;
          /** @enum {string} */
          riskLevel: "LOW" | "MEDIUM" | "HIGH";
          /** @enum {string} */
          riskTolerance: "low" | "medium" | "high";
          /** @description In steps of 0.1. */
          stopLoss: number;
          /** @enum {string} */
          strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              checkInterval: number;
              defaultOrderSize: number;
              maxPositions: number;
              maxPositionValue: number;
              paperTradingOnly: boolean;
              profitTarget: number;
              /** @enum {string} */
              riskLevel: "LOW" | "MEDIUM" | "HIGH";
              /** @enum {string} */
              riskTolerance: "low" | "medium" | "high";
              stopLoss: number;
              /** @enum {string} */
              strategy: "MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT";
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getSymbolsSymbol: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path: {
        symbol: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              accounts: {
                id: string;
                name: string;
              }[];
              dayChange: {
                amount: number;
                percent: number;
                /** Format: date */
                since: string;
              } | null;
              earnings: {
                expectedMove: number | null;
                next: {
                  /** Format: date */
                  from: string;
                  time: ("BMO" | "AMC" | "UNKNOWN") | null;
                  /** Format: date */
                  to: string;
                } | null;
                reactions: {
                  /** Format: date */
                  date: string;
                  reaction: number;
                  /** @enum {string} */
                  time: "BMO" | "AMC" | "UNKNOWN";
                }[];
              };
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              events: {
                /** @enum {string} */
                kind: "seated" | "sticky" | "left" | "swap_refused";
                /** Format: date */
                sessionDate: string;
                text: string;
              }[];
              levels: {
                accountId: string;
                /** Format: date-time */
                from: string;
                id: string;
                isFilled: boolean;
                isRaised: boolean;
                /** @enum {string} */
                kind: "STOP" | "TARGET";
                price: number;
                quantity: number | null;
                to: string | null;
              }[];
              /** @enum {string} */
              market: "PRACTICE" | "US";
              name: string | null;
              news: {
                headline: string;
                id: string;
                /** Format: date-time */
                publishedAt: string;
                score: number | null;
                scoreSource: string | null;
                source: string;
              }[];
              positions: {
                accountId: string;
                averagePrice: number;
                currentPrice: number | null;
                /** @enum {string} */
                environmentLabel: "LIVE" | "PAPER" | "PRACTICE";
                marketValue: number | null;
                /** Format: date-time */
                openedAt: string;
                quantity: number;
                stopDistancePercent: number | null;
                stopPrice: number | null;
                strategy: ("MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT") | null;
                symbol: string;
                targetDistancePercent: number | null;
                targetPrice: number | null;
                unrealizedPnL: number | null;
                unrealizedPnLPercent: number | null;
              }[];
              price: number | null;
              priceAt: string | null;
              priceSession: string | null;
              quarantine: string | null;
              scores: {
                compositeScore: number | null;
                policyVersion: string;
                seat: {
                  compositeScore: number;
                  coverage: number;
                  /** @enum {string} */
                  freshOrSticky: "sticky" | "fresh";
                  lastPrice: number;
                  liquidityScore: number;
                  rank: number;
                  reasons: string[];
                  sentimentScore: number | null;
                  technicalScore: number;
                  tenureSessions: number;
                } | null;
                /** Format: date */
                sessionDate: string;
              }[];
              seat: {
                compositeScore: number;
                coverage: number;
                /** @enum {string} */
                freshOrSticky: "sticky" | "fresh";
                lastPrice: number;
                liquidityScore: number;
                rank: number;
                reasons: string[];
                sentimentScore: number | null;
                technicalScore: number;
                tenureSessions: number;
              } | null;
              sector: string | null;
              sessionDate: string | null;
              standings: {
                account: {
                  id: string;
                  name: string;
                } | null;
                decisionId: string | null;
                isHeld: boolean;
                score: {
                  needed: number;
                  value: number;
                } | null;
                sentence: {
                  cites: {
                    href: string;
                    label: string;
                  }[];
                  parts: {
                    isAmount: boolean;
                    text: string;
                  }[];
                };
              }[];
              symbol: string;
              trades: {
                accountId: string;
                /** Format: date-time */
                at: string;
                averagePrice: number | null;
                filledQuantity: number;
                id: string;
                quantity: number | null;
                reason: string | null;
                /** @enum {string} */
                side: "BUY" | "SELL";
                /** @enum {string} */
                status: "FILLED" | "PENDING" | "CANCELLED" | "REJECTED";
                totalValue: number;
              }[];
              trips: {
                accountId: string;
                closedAt: string | null;
                entryReason: string | null;
                entryValue: number;
                exitReason: string | null;
                exitValue: number;
                fees: number;
                id: string;
                /** Format: date-time */
                openedAt: string;
                outcome: ("WIN" | "LOSS" | "SCRATCH") | null;
                pnl: number;
                quantityBought: number;
                quantitySold: number;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getSymbolsSymbolBars: {
    parameters: {
      query?: {
        environment?: "LIVE" | "PAPER" | "PRACTICE";
      };
      header?: never;
      path: {
        symbol: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              bars: {
                close: number[];
                high: number[];
                low: number[];
                open: number[];
                sessions: string[];
                sma50: (number | null)[];
                sma200: (number | null)[];
                volume: number[];
              };
              /** @enum {string} */
              market: "PRACTICE" | "US";
              splits: {
                ratio: number;
                /** Format: date */
                session: string;
              }[];
              symbol: string;
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getTrades: {
    parameters: {
      query?: {
        cursor?: string;
        direction?: "asc" | "desc";
        endDate?: string;
        environment?: "LIVE" | "PAPER" | "PRACTICE";
        limit?: number;
        side?: "BUY" | "SELL";
        sort?: "date" | "symbol" | "quantity" | "price" | "total";
        startDate?: string;
        status?: "FILLED" | "PENDING" | "CANCELLED" | "REJECTED";
        symbol?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              environment: ("LIVE" | "PAPER" | "PRACTICE") | null;
              environments: ("LIVE" | "PAPER" | "PRACTICE")[];
              pagination: {
                limit: number;
                nextCursor: string | null;
                total: number;
              };
              summary: {
                averageTradeSize: number;
                filledTrades: number;
                losingTrades: number;
                totalTrades: number;
                totalVolume: number;
                winningTrades: number;
              };
              trades: {
                account: {
                  /** @enum {string} */
                  environment: "PAPER" | "LIVE";
                  /** @enum {string} */
                  environmentLabel: "LIVE" | "PAPER" | "PRACTICE";
                  id: string;
                  name: string;
                  user: {
                    email: string;
                    firstName: string;
                    lastName: string;
                  };
                };
                averagePrice: number | null;
                /** Format: date-time */
                createdAt: string;
                filledQuantity: number;
                id: string;
                protection: {
                  averagePrice: number | null;
                  brokerStatus: string;
                  filledQuantity: number;
                  id: string;
                  isRaised: boolean;
                  limitPrice: number | null;
                  quantity: number | null;
                  /** @enum {string} */
                  role: "ENTRY" | "EXIT" | "STOP" | "TARGET" | "EXTERNAL";
                  /** @enum {string} */
                  side: "BUY" | "SELL";
                  /** @enum {string} */
                  status: "FILLED" | "PENDING" | "CANCELLED" | "REJECTED";
                  stopPrice: number | null;
                  /** Format: date-time */
                  submittedAt: string;
                  type: string;
                }[];
                quantity: number | null;
                reason: string | null;
                /** @enum {string} */
                side: "BUY" | "SELL";
                /** @enum {string} */
                status: "FILLED" | "PENDING" | "CANCELLED" | "REJECTED";
                symbol: string;
                totalValue: number;
                tripPnl: number | null;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
  getTradesId: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": {
            data: {
              account: {
                /** @enum {string} */
                environment: "PAPER" | "LIVE";
                /** @enum {string} */
                environmentLabel: "LIVE" | "PAPER" | "PRACTICE";
                id: string;
                name: string;
                user: {
                  email: string;
                  firstName: string;
                  lastName: string;
                };
              };
              averagePrice: number | null;
              /** Format: date-time */
              createdAt: string;
              decision: {
                confidence: number | null;
                /** Format: date-time */
                decidedAt: string;
                engineVersion: string;
                funnel: {
                  bought: number;
                  entries: number;
                  screened: number;
                  seated: number;
                  signals: number;
                };
                id: string;
                line: string;
                policyVersion: string;
                /** @enum {string} */
                regime: "risk_on" | "neutral" | "risk_off";
                scores: {
                  composite: number | null;
                  liquidity: number | null;
                  momentum: number | null;
                  rank: number;
                  sentiment: number | null;
                  technical: number | null;
                } | null;
              } | null;
              filledQuantity: number;
              fills: {
                /** Format: date-time */
                at: string;
                fees: number;
                id: string;
                price: number;
                quantity: number;
                value: number;
              }[];
              id: string;
              intent: {
                /** Format: date-time */
                decidedAt: string;
                decisionPrice: number;
                policyVersion: string | null;
                purpose: string;
                quantity: number;
                stopLossPrice: number | null;
                strategy: ("MOMENTUM" | "MEAN_REVERSION" | "BREAKOUT") | null;
                takeProfitPrice: number | null;
              } | null;
              isOwn: boolean;
              legs: {
                averagePrice: number | null;
                brokerStatus: string;
                filledQuantity: number;
                id: string;
                isRaised: boolean;
                limitPrice: number | null;
                quantity: number | null;
                /** @enum {string} */
                role: "ENTRY" | "EXIT" | "STOP" | "TARGET" | "EXTERNAL";
                /** @enum {string} */
                side: "BUY" | "SELL";
                /** @enum {string} */
                status: "FILLED" | "PENDING" | "CANCELLED" | "REJECTED";
                stopPrice: number | null;
                /** Format: date-time */
                submittedAt: string;
                type: string;
              }[];
              lots: {
                /** Format: date-time */
                closedAt: string;
                cost: number;
                fees: number;
                id: string;
                /** Format: date-time */
                openedAt: string;
                proceeds: number;
                quantity: number;
                realizedPnl: number;
                tradeId: string | null;
              }[];
              order: {
                brokerOrderId: string;
                brokerStatus: string;
                clientOrderId: string;
                endedAt: string | null;
                fees: number;
                filledAt: string | null;
                limitPrice: number | null;
                notional: number | null;
                orderClass: string;
                /** @enum {string} */
                origin: "OURS" | "EXTERNAL";
                /** @enum {string} */
                role: "ENTRY" | "EXIT" | "STOP" | "TARGET" | "EXTERNAL";
                stopPrice: number | null;
                /** Format: date-time */
                submittedAt: string;
                timeInForce: string;
                type: string;
              };
              parent: {
                averagePrice: number | null;
                brokerStatus: string;
                filledQuantity: number;
                id: string;
                limitPrice: number | null;
                quantity: number | null;
                /** @enum {string} */
                role: "ENTRY" | "EXIT" | "STOP" | "TARGET" | "EXTERNAL";
                /** @enum {string} */
                side: "BUY" | "SELL";
                /** @enum {string} */
                status: "FILLED" | "PENDING" | "CANCELLED" | "REJECTED";
                stopPrice: number | null;
                type: string;
              } | null;
              quantity: number | null;
              realizedPnl: number;
              reason: string | null;
              rotationPlanId: string | null;
              /** @enum {string} */
              side: "BUY" | "SELL";
              slippage: {
                bps: number;
                usd: number;
              } | null;
              slippageReason: string | null;
              /** @enum {string} */
              status: "FILLED" | "PENDING" | "CANCELLED" | "REJECTED";
              symbol: string;
              timeline: {
                at: string | null;
                detail: string | null;
                isBad: boolean;
                /** @enum {string} */
                kind: "decided" | "gated" | "submitted" | "accepted" | "filled" | "ended" | "closed";
                title: string;
              }[];
              totalValue: number;
              trip: {
                closedAt: string | null;
                entryReason: string | null;
                entryValue: number;
                exitReason: string | null;
                exitValue: number;
                fees: number;
                /** Format: date-time */
                openedAt: string;
                outcome: ("WIN" | "LOSS" | "SCRATCH") | null;
                pnl: number;
                quantityBought: number;
                quantitySold: number;
                trades: {
                  averagePrice: number | null;
                  brokerStatus: string;
                  filledQuantity: number;
                  id: string;
                  limitPrice: number | null;
                  quantity: number | null;
                  /** @enum {string} */
                  role: "ENTRY" | "EXIT" | "STOP" | "TARGET" | "EXTERNAL";
                  /** @enum {string} */
                  side: "BUY" | "SELL";
                  /** @enum {string} */
                  status: "FILLED" | "PENDING" | "CANCELLED" | "REJECTED";
                  stopPrice: number | null;
                  /** Format: date-time */
                  tradedAt: string;
                  type: string;
                }[];
              } | null;
              verdicts: {
                /** Format: date-time */
                at: string;
                gates: {
                  closeness: number | null;
                  code: string;
                  detail: string;
                  isWarning: boolean;
                  margin: number | null;
                  marginText: string | null;
                  name: string;
                  passed: boolean;
                  text: string;
                  word: string;
                }[];
                passed: boolean;
                /** @enum {string} */
                phase: "T1" | "T2";
                policyVersion: string;
              }[];
            };
            error: null;
            /** @constant */
            success: true;
          };
        };
      };
      /** @description Refused or failed. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Failure"];
        };
      };
    };
  };
}
