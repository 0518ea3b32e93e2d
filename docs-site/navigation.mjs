/** The pages of the documentation in groups, in the order in which they are read. A test holds that each document is in one. */
export const NAVIGATION = [
  {
    text: "Use it",
    items: [
      { text: "What it is", file: "README.md" },
      { text: "Questions and answers", file: "docs/faq.md" },
      { text: "What it tells you, and why", file: "docs/insight.md" },
      { text: "Notifications", file: "docs/notifications.md" },
      { text: "Backtest", file: "docs/backtest.md" },
      { text: "API for programs", file: "docs/api.md" },
      { text: "JavaScript client", file: "packages/client/README.md" },
    ],
  },
  {
    text: "Run it",
    items: [
      { text: "Set-up", file: "docs/set-up.md" },
      { text: "Configuration", file: "docs/configuration.md" },
      { text: "Ship, upgrade, back up", file: "docs/shipping.md" },
      { text: "Operations", file: "docs/operations.md" },
      { text: "Metrics and alerts", file: "docs/metrics.md" },
      { text: "Traces", file: "docs/traces.md" },
      { text: "Sources of prices", file: "docs/sources.md" },
      { text: "Practice market", file: "docs/exchange.md" },
      { text: "Report a weakness", file: "SECURITY.md" },
    ],
  },
  {
    text: "Understand it",
    items: [
      { text: "Architecture", file: "ARCHITECTURE.md" },
      { text: "Reliability", file: "docs/reliability.md" },
      { text: "Faults and their tests", file: "docs/faults.md" },
      { text: "Security", file: "docs/security.md" },
      { text: "Performance", file: "docs/performance.md" },
      { text: "Beyond one machine", file: "docs/scaling.md" },
      { text: "Replay and what-if", file: "docs/replay.md" },
      { text: "Reading headlines", file: "docs/sentiment.md" },
      { text: "Decisions", file: "docs/decisions/README.md" },
      { text: "Open points", file: "docs/open-points.md" },
    ],
  },
  {
    text: "Change it",
    items: [
      { text: "Contributing", file: "CONTRIBUTING.md" },
      { text: "Add a strategy", file: "docs/how-to/add-a-strategy.md" },
      { text: "Add a gate", file: "docs/how-to/add-a-gate.md" },
      { text: "Add a provider", file: "docs/how-to/add-a-provider.md" },
      { text: "Add a page", file: "docs/how-to/add-a-page.md" },
    ],
  },
];

/** Documents that are reached from a page of the navigation that lists them. */
export const LISTED_ELSEWHERE = /^docs\/decisions\/\d{4}-/;
