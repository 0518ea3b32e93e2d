import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Service {
  image?: string;
  build?: object;
  user?: string;
  environment?: Record<string, string>;
  env_file?: unknown;
  network_mode?: string;
  networks?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  read_only?: boolean;
  privileged?: boolean;
  mem_limit?: string;
  pids_limit?: number;
  ports?: string[];
  restart?: string;
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
}

const text = readFileSync("docker-compose.yml", "utf8");
const { services, networks } = parse(text, { merge: true }) as Compose;
const of = (name: string): Service => services[name] ?? {};
const settingsOf = (name: string) => Object.keys(of(name).environment ?? {});

it("the file names the services that there are", () => {
  expect(Object.keys(services).sort()).toEqual([
    "exchange",
    "mailbox",
    "migrate",
    "postgres",
    "redis",
    "roles",
    "seed",
    "watchdog",
    "web",
    "worker",
  ]);
});

describe.each(Object.entries(services))("%s", (name, service) => {
  it("has no capability that it does not need, gains none, and writes to its volumes alone", () => {
    expect(service).toMatchObject({ cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], read_only: true });
    expect(service.privileged).toBeUndefined();
    const isServer = name === "postgres" || name === "redis";
    expect(service.cap_add ?? []).toEqual(isServer ? ["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"] : []);
  });

  it("has a limit of memory and of processes", () => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
  });

  it("lives in networks of its own, never in another container's, and publishes on this machine alone", () => {
    expect(service.network_mode).toBeUndefined();
    expect(service.networks?.length).toBeGreaterThan(0);
    for (const network of service.networks ?? []) expect(Object.keys(networks)).toContain(network);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it("is given its settings one by one, not a whole file of them", () => {
    expect(service.env_file).toBeUndefined();
  });

  it("says whether it is well, unless it runs once and ends", () => {
    if (service.restart === "no") expect(service.healthcheck).toBeUndefined();
    else expect(service.healthcheck?.test.length).toBeGreaterThan(0);
  });

  it("waits only for services that there are", () => {
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(services)).toContain(other);
      if (condition === "service_healthy") expect(of(other).healthcheck, other).toBeDefined();
      if (condition === "service_completed_successfully") expect(of(other).restart, other).toBe("no");
    }
  });
});

describe("secrets", () => {
  const holdersOf = (secret: string) =>
    Object.entries(services)
      .filter(([, { environment = {} }]) =>
        Object.values(environment).some((value) => String(value).includes(`\${${secret}`)),
      )
      .map(([name]) => name)
      .sort();
  const PROGRAMS = ["seed", "watchdog", "web", "worker"];

  it.each([
    ["POSTGRES_PASSWORD", ["postgres", "roles"]],
    ["MIGRATION_DATABASE_PASSWORD", ["migrate", "roles"]],
    ["APP_DATABASE_PASSWORD", ["migrate", "roles", ...PROGRAMS]],
    ["EXCHANGE_DATABASE_PASSWORD", ["exchange", "roles"]],
    ["REDIS_PASSWORD", ["migrate", "redis", ...PROGRAMS]],
    ["NEXTAUTH_SECRET", PROGRAMS],
    ["MASTER_KEYS", PROGRAMS],
    ["AUDIT_KEY", PROGRAMS],
    ["EXCHANGE_CONTROL_TOKEN", ["exchange", ...PROGRAMS]],
    ["SMTP_URL", ["watchdog", "worker"]],
    ["ADMIN_PASSWORD", ["seed"]],
    ["ALPACA_DATA_SECRET", ["web", "worker"]],
    ["VAPID_PRIVATE_KEY", ["web", "worker"]],
    ["INSIGHT_API_KEY", ["web", "worker"]],
    ["ALPACA_OAUTH_CLIENT_SECRET", ["web", "worker"]],
  ])("%s is given to %j and to no other", (secret, holders) => {
    expect(holdersOf(secret)).toEqual([...holders].sort());
  });

  it("passwords and keys have no default: without one nothing starts", () => {
    const used = [...text.matchAll(/\$\{([A-Z_]*(?:PASSWORD|SECRET|KEYS|KEY|TOKEN))(?![A-Z_])(:[-?])?/g)];
    const optional = ["ADMIN_PASSWORD", "ALPACA_DATA_SECRET", "FINNHUB_TOKEN", "FMP_API_KEY", "ALPHA_VANTAGE_KEY"];
    // Without them there are no pushes, no model writes, and accounts are connected by keys.
    optional.push("VAPID_PRIVATE_KEY", "INSIGHT_API_KEY", "ALPACA_OAUTH_CLIENT_SECRET");
    const loose = used
      .filter(([, name, how]) => !optional.includes(name ?? "") && how !== ":?")
      .map(([, name]) => name);
    expect(loose).toEqual([]);
  });

  it("the queue asks for its password, which stands in no argument", () => {
    const redis = of("redis") as Service & { command: string[] };
    expect(redis.command.join(" ")).toContain("requirepass");
    expect(redis.command.join(" ")).not.toContain("${");
  });

  it("programs sign in to Postgres as the application, and the superuser's address is known to one service", () => {
    for (const name of PROGRAMS) {
      expect(of(name).environment?.DATABASE_URL).toMatch(/^postgresql:\/\/tradewind_app:/);
      expect(settingsOf(name)).not.toContain("MIGRATION_DATABASE_URL");
    }
    expect(Object.keys(services).filter((name) => settingsOf(name).includes("SUPERUSER_DATABASE_URL"))).toEqual([
      "roles",
    ]);
  });
});

describe("networks", () => {
  const neighbours = (name: string) =>
    Object.keys(services).filter(
      (other) => other !== name && of(other).networks?.some((network) => of(name).networks?.includes(network)),
    );

  it("the mailbox meets only those that send mail, and nothing meets the database but what uses it", () => {
    expect(neighbours("mailbox").sort()).toEqual(["watchdog", "worker"]);
    expect(neighbours("redis")).not.toContain("exchange");
    expect(neighbours("postgres")).not.toContain("mailbox");
  });

  it("what stores data has no way out of this machine", () => {
    for (const name of ["postgres", "redis", "exchange", "migrate", "roles", "seed"])
      expect(
        of(name).networks?.map((network) => networks[network]?.internal),
        name,
      ).not.toContain(undefined);
  });
});
