// The walls of the house (ARCHITECTURE.md). scripts/walls.test.ts proves that each of them stands.
/** Tests, and what only tests and proving commands are made of. */
const TEST = "(^lib/proof/.*|\\.test\\.tsx?)$";
const PACKAGE = "(^|/)node_modules/";
const packages = (...names) => `${PACKAGE}(@types/)?(${names.join("|")})(/|$)`;

const DOMAIN = "^lib/domain/";
const CONTRACTS = "^lib/contracts/";
const CLIENT = "^lib/client/";
const EXCHANGE = "^lib/exchange/";
const SERVER = "^lib/server/";
const PROOF = "^lib/proof/";
/** The bodies of commands: each is a program of its own. */
const COMMANDS = "^lib/(admin|backtest|tape)/|^lib/(command|progress)\\.ts$";
const PROVING_COMMANDS = "^workers/cli/(attack|chaos|fuzz|model|reconcile|rehearse|year)\\.ts$";
const CORE = "^lib/server/core/";
const SERVICES = "^lib/server/services/";
export { TEST };
/** The service nouns, floor by floor from the ground up. A noun imports its own floor and those below (ARCHITECTURE.md). */
export const FLOORS = {
  who: "auth users flags preferences rate-limits approvals audit mail channels schedule queue csp-report",
  ledger: "ledger equity",
  orders: "orders",
  sync: "sync",
  decide: "selectors cycles policy rotation providers",
  guard: "automation invariants accounts positions",
  read: "trades performance portfolio symbols insight decisions demo notifications logs backtests console operations system health reference practice erasure",
};
const nounsOf = (...floors) => `${SERVICES}(${floors.join(" ").replaceAll(" ", "|")})/`;
const ROUTES = "^app/(api|\\.well-known)/";
const PAGES = "^app/.*(page|layout)\\.tsx$";
/** What a page's document holds of the API's answers. */
const PREFETCH = "^app/_prefetch/";
const GUARD = "^lib/server/http/guard\\.ts$";
const DATABASE = "^lib/server/(db|rows)\\.ts$";
const DOORS_OF_WORKER = "^workers/[^/]+\\.ts$";
const ROOTS_OF_WORKER = "^workers/(main|watchdog|exchange)\\.ts$";
const REACT = packages("react", "react-dom", "radix-ui", "sonner", "lucide-react", "@tanstack/[^/]+", "cmdk", "sonner");

const wall = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });
/** A test may reach further than the code beside it. */
const code = (path, ...except) => ({ path, pathNot: [TEST, ...except] });

export default {
  forbidden: [
    wall("domain-alone", "The domain imports only itself.", code(DOMAIN), {
      pathNot: [DOMAIN],
    }),
    wall(
      "domain-tests-alone",
      "A domain test needs no server, no screen and no worker.",
      { path: `${DOMAIN}.*${TEST}` },
      {
        path: "^(lib/(?!domain/|proof/)|app/|workers/|emails/)",
      },
    ),
    wall("contracts-below", "Contracts know the domain and zod.", code(CONTRACTS), {
      pathNot: [CONTRACTS, DOMAIN, packages("zod")],
    }),
    wall("client-below", "The client knows contracts, domain and WebAuthn's library.", code(CLIENT), {
      pathNot: [CLIENT, CONTRACTS, DOMAIN, packages("@simplewebauthn/browser")],
    }),
    wall("services-know-no-door", "A service knows neither Next nor the queue nor a screen.", code([CORE, SERVICES]), {
      path: [packages("next", "next-auth", "bullmq"), "^(app|workers)/", CLIENT, EXCHANGE, "^lib/server/http/"],
    }),
    wall(
      "adapters-know-no-service",
      "Adapters and the core serve the nouns; they do not call them.",
      code(SERVER, SERVICES),
      {
        path: [SERVICES, "^(app|workers)/", CLIENT],
      },
    ),
    wall(
      "nouns-have-a-floor",
      "A service noun stands on one of the floors.",
      code(`${SERVICES}[^/]+/`, nounsOf(...Object.values(FLOORS))),
      {},
    ),
    ...Object.entries(FLOORS)
      .slice(0, -1)
      .map(([floor, nouns], level) =>
        wall(`nouns-look-down-${floor}`, "A noun imports its own floor and those below.", code(nounsOf(nouns)), {
          path: nounsOf(...Object.values(FLOORS).slice(level + 1)),
        }),
      ),
    wall("exchange-knows-no-product", "The practice exchange is a program of its own.", code(EXCHANGE), {
      path: ["^lib/(?!exchange/|domain/)", "^(app|workers|emails|prisma)/"],
    }),
    wall(
      "product-does-not-import-the-exchange",
      "The product reaches the exchange over the wire only.",
      {
        path: "^(lib|app|workers|emails)/",
        pathNot: [TEST, EXCHANGE, COMMANDS, "^workers/(exchange\\.ts|cli/)"],
      },
      { path: EXCHANGE },
    ),
    wall(
      "proofs-stay-outside",
      "The product knows nothing of what only proves it.",
      {
        path: "^(lib|app|workers|emails)/",
        pathNot: [TEST, PROVING_COMMANDS],
      },
      { path: PROOF },
    ),
    wall(
      "commands-stay-outside",
      "The product knows nothing of its commands.",
      { path: "^(lib|app|workers|emails)/", pathNot: [TEST, COMMANDS, "^workers/cli/"] },
      { path: COMMANDS },
    ),
    wall("routes-are-thin", "A route binds a contract to a service.", code(ROUTES), {
      path: ["^lib/(?!contracts/|server/)", "^lib/server/(?!http/|services/)", "^(workers|emails)/", "^app/(?!api/)"],
    }),
    wall("jobs-are-thin", "A job binds a contract to a service.", code(DOORS_OF_WORKER, ROOTS_OF_WORKER), {
      path: ["^lib/(?!contracts/|server/)", "^lib/server/(?!jobs/|services/)", "^emails/"],
    }),
    wall(
      "screens-know-no-server",
      "A screen never reaches the server, not even through a friend.",
      code("^app/", ROUTES, PAGES, PREFETCH),
      {
        path: SERVER,
        reachable: true,
      },
    ),
    wall("pages-know-the-guard", "A page takes only its guard from the server.", code(PAGES), {
      path: SERVER,
      pathNot: GUARD,
    }),
    wall(
      "prefetch-asks-routes",
      "What a document holds is answered by the routes, as a browser's call would be.",
      code(PREFETCH),
      { path: ["^lib/server/(?!http/)", "^app/\\("] },
    ),
    wall("screens-know-no-other", "A screen knows no other screen.", code("^app/\\(([a-z]+)\\)/([^/]+)/"), {
      path: "^app/\\([a-z]+\\)/[^/]+/",
      pathNot: "^app/\\($1\\)/$2/",
    }),
    wall("parts-know-no-screen", "Shared parts and hooks know no screen.", code("^app/_(ui|hooks)/"), {
      path: ["^app/(?!_ui/|_hooks/)", "^workers/"],
    }),
    wall("workers-know-no-screen", "A worker knows no screen.", { path: "^workers/" }, { path: "^app/" }),
    wall("mails-are-templates", "A mail template knows neither server nor screens.", code("^emails/"), {
      path: ["^lib/(?!domain/|contracts/)", "^(app|workers)/"],
    }),

    wall(
      "home-of-prisma",
      "Prisma lives in db.ts and rows.ts.",
      code("", DATABASE, "^lib/generated/", "^prisma/", PACKAGE),
      {
        path: ["^lib/generated/", packages("@prisma", "prisma")],
      },
    ),
    wall(
      "home-of-the-queue",
      "BullMQ lives in server/jobs and the worker's main; its tables are made with the migrations.",
      code("", "^lib/server/jobs/", "^workers/main\\.ts$", "^prisma/migrate\\.mjs$", PACKAGE),
      {
        path: packages("bullmq"),
      },
    ),
    wall(
      "home-of-alpaca",
      "Alpaca's SDK lives in its adapters.",
      code("", "^lib/server/(broker|providers)/alpaca[^/]*$", PACKAGE),
      {
        path: packages("@alpacahq"),
      },
    ),
    wall(
      "home-of-models",
      "What talks to language models lives in its adapter.",
      code("", "^lib/server/insight/", PACKAGE),
      {
        path: packages("ai", "@ai-sdk"),
      },
    ),
    wall(
      "home-of-factors",
      "What checks codes, passkeys and passwords lives beside the secrets.",
      code("", "^lib/server/secrets/", PACKAGE),
      {
        path: packages("otpauth", "@simplewebauthn/server", "@node-rs/argon2"),
      },
    ),
    wall(
      "home-of-traces",
      "OpenTelemetry is imported by export-traces.ts only; code that opens a span imports tracing.ts.",
      code("", "^lib/server/export-traces\\.ts$", PACKAGE),
      { path: packages("@opentelemetry") },
    ),
    wall(
      "home-of-react",
      "React lives in app and emails, and in the guard of pages.",
      code("", "^(app|emails)/", GUARD, PACKAGE),
      {
        path: REACT,
      },
    ),

    wall(
      "no-circle",
      "Files that import each other in a circle are one file.",
      { pathNot: PACKAGE },
      {
        circular: true,
        viaOnly: { pathNot: "^lib/generated/", dependencyTypesNot: ["type-only"] },
      },
    ),
    wall("nothing-missing", "Every import is found.", {}, { couldNotResolve: true }),
    wall(
      "no-tools-in-the-product",
      "What runs in production does not need development packages.",
      {
        path: "^(lib|app|workers|emails)/",
        pathNot: TEST,
      },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"], pathNot: `${PACKAGE}@types/` },
    ),
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^lib/generated/"] },
    exclude: { path: ["^\\.next/", "^dist/", "^\\.data/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
