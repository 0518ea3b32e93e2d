import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseEnv } from "node:util";
import { Ajv2019 } from "ajv/dist/2019.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { envSchema } from "@/lib/server/env.ts";
import { interpolate } from "./interpolate.mjs";

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
  healthcheck?: { test?: string[]; disable?: boolean };
  container_name?: string;
  profiles?: string[];
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

it("the file is as the Compose specification says", () => {
  // It names its language and its parts in the spelling of older drafts, which the validator refuses; nothing refers to these names.
  const published = readFileSync("scripts/fixtures/compose/compose-spec.json", "utf8");
  const schema = JSON.parse(published.replace(/"(\$schema|id)": "[^"]*",/g, "")) as {
    properties: Record<string, object>;
    definitions: { service: { properties: { depends_on: { oneOf: { patternProperties?: object }[] } } } };
  };
  // The schema is older than the project's name (Compose 2.3.3).
  schema.properties.name ??= { type: "string" };
  // The schema is older than dependencies that need not be there (Compose 2.20).
  const dependency = schema.definitions.service.properties.depends_on.oneOf[1]?.patternProperties;
  const [pattern] = Object.values(dependency as Record<string, { properties: Record<string, object> }>);
  pattern!.properties.required ??= { type: "boolean" };
  const ajv = new Ajv2019({ allErrors: true, strict: false, logger: false });
  addFormats.default(ajv);
  // Compose writes durations as Go does, not as ISO 8601.
  ajv.addFormat("duration", /^(\d+(us|ms|s|m|h))+$/);
  const isValid = ajv.compile(schema);
  const file = parse(text, { merge: true }) as Compose;
  isValid(file);
  expect(isValid.errors ?? []).toEqual([]);
  expect(isValid({ ...file, services: { ...services, web: { ...of("web"), comand: [] } } })).toBe(false);
});

it("the file names the services that there are", () => {
  expect(Object.keys(services).sort()).toEqual([
    "backup",
    "canary",
    "exchange",
    "mailbox",
    "migrate",
    "postgres",
    "redis",
    "restore",
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
    if (service.restart === "no") expect(service.healthcheck).toEqual({ disable: true });
    else expect(service.healthcheck?.test?.length).toBeGreaterThan(0);
  });

  it("names its image by a version, and runs as an ordinary user where it is ours", () => {
    if (service.image) expect(service.image).toMatch(/^[\w-]+:(?!latest)(\$\{TRADEWIND(_CANARY)?_VERSION:-)?\d/);
    else expect(service.build).toBeDefined();
    if (service.build) expect(service.user).toBe("node");
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
  const PROGRAMS = ["canary", "restore", "seed", "watchdog", "web", "worker"];

  it.each([
    ["POSTGRES_PASSWORD", ["postgres", "roles"]],
    ["MIGRATION_DATABASE_PASSWORD", ["migrate", "restore", "roles"]],
    ["APP_DATABASE_PASSWORD", ["backup", "migrate", "roles", ...PROGRAMS]],
    ["EXCHANGE_DATABASE_PASSWORD", ["backup", "exchange", "restore", "roles"]],
    ["REDIS_PASSWORD", ["migrate", "redis", ...PROGRAMS]],
    ["NEXTAUTH_SECRET", PROGRAMS],
    ["MASTER_KEYS", PROGRAMS],
    ["AUDIT_KEY", PROGRAMS],
    ["EXCHANGE_CONTROL_TOKEN", ["exchange", ...PROGRAMS]],
    ["SMTP_URL", ["canary", "watchdog", "worker"]],
    ["ADMIN_PASSWORD", ["seed"]],
    ["ALPACA_DATA_SECRET", ["canary", "web", "worker"]],
    ["VAPID_PRIVATE_KEY", ["canary", "web", "worker"]],
    ["OTEL_EXPORTER_OTLP_HEADERS", ["canary", "watchdog", "web", "worker"]],
    ["INSIGHT_API_KEY", ["canary", "web", "worker"]],
    ["ALPACA_OAUTH_CLIENT_SECRET", ["canary", "web", "worker"]],
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

  it("the queue's server takes its settings by standard input and the place of its shell, so that it hears the signal to stop", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "redis-command-"));
    writeFileSync(path.join(folder, "docker-entrypoint.sh"), '#!/bin/sh\necho "$$ $*"; cat\n', { mode: 0o755 });
    const [shell = "", ...args] = (of("redis") as Service & { command: string[] }).command;
    const { pid, stdout } = spawnSync(
      shell,
      args.map((word) => word.replaceAll("$$", "$")),
      { encoding: "utf8", env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, REDIS_PASSWORD: "a$b`c" } },
    );
    rmSync(folder, { recursive: true });
    expect(stdout.split("\n")).toEqual([
      `${pid} redis-server -`,
      "requirepass a$b`c",
      "appendonly yes",
      "maxmemory-policy noeviction",
      "",
    ]);
  });

  it("the database is ready when it answers over the network, which it does not while its data is prepared", () => {
    expect(of("postgres").healthcheck?.test).toEqual(["CMD", "pg_isready", "-h", "127.0.0.1", "-U", "postgres"]);
  });

  it("programs sign in to Postgres as the application, and the superuser's address is known to one service", () => {
    for (const name of PROGRAMS) {
      if (name === "restore") continue; // makes the schema
      expect(of(name).environment?.DATABASE_URL).toMatch(/^postgresql:\/\/tradewind_app:/);
      expect(settingsOf(name)).not.toContain("MIGRATION_DATABASE_URL");
    }
    expect(Object.keys(services).filter((name) => settingsOf(name).includes("SUPERUSER_DATABASE_URL"))).toEqual([
      "roles",
    ]);
  });
});

it("there may be several workers, and practice market, mail catcher and backups are there when they are asked for", () => {
  for (const name of ["worker", "watchdog"]) {
    expect(of(name).container_name).toBeUndefined();
    expect(of(name).ports).toBeUndefined();
  }
  const asked = Object.entries(services).flatMap(([name, { profiles }]) => (profiles ? [[name, ...profiles]] : []));
  expect(asked).toEqual([
    ["exchange", "practice"],
    ["canary", "canary"],
    ["backup", "backup"],
    ["restore", "backup"],
    ["mailbox", "mailbox"],
  ]);
});

it("the project has one name in every folder: another checkout works on the same containers, networks and volumes", () => {
  expect(parse(text)).toMatchObject({ name: "tradewind" });
});

it("the canary is the worker, of a version of its own, and told that it is one", () => {
  const { profiles, image, restart, environment, ...canary } = of("canary");
  const { image: ofWorker, restart: always, environment: ofOthers, ...worker } = of("worker");
  expect(canary).toEqual(worker);
  expect(environment).toEqual({ ...ofOthers, CANARY: "1", INSTANCE_ID: expect.any(String) as string });
  expect([profiles, restart, always]).toEqual([["canary"], "on-failure", "unless-stopped"]);
  expect(image).not.toBe(ofWorker);
});

describe("settings", () => {
  /** What Compose makes itself, keeps from being set, or has no place for. */
  const OWN = ["DATABASE_URL", "REDIS_URL", "NODE_ENV", "INSTANCE_ID", "METRICS_HOST", "AUDIT_ANCHOR_FILE", "DATA_DIR"];
  /** Compose asks for MASTER_KEYS, `canary` is a service, and crash points are for tests. */
  const NOT_FOR_COMPOSE = ["MASTER_KEYS_FILE", "CANARY", "CRASH_AT"];
  const given = Object.values(services).flatMap(({ environment = {} }) =>
    Object.entries(environment).flatMap(([name, value]) => (String(value).includes(`\${${name}`) ? [name] : [])),
  );

  it("each setting of the product can be given in .env, but for those that are named here", () => {
    const missing = Object.keys(envSchema.shape).filter((name) => !given.includes(name));
    expect(missing.sort()).toEqual([...OWN, ...NOT_FOR_COMPOSE].sort());
  });

  it("an empty one is none: what .env leaves out has the product's default", () => {
    const fixed = ["EXCHANGE_SPEED", "EXCHANGE_SKIP_CLOSED", "EXCHANGE_LEAD_SESSIONS", "DEMO", "TRUSTED_PROXIES"];
    const defaults = [...text.matchAll(/\$\{([A-Z_]+):?-([^}]+)\}/g)].map(([, name]) => name);
    const others = [
      "NEXT_PUBLIC_API_BASE",
      "TRADEWIND_VERSION",
      "TRADEWIND_CANARY_VERSION",
      "APP_BASE_URL",
      "EXCHANGE_URL",
      "LOG_LEVEL",
    ];
    expect([...new Set(defaults)].sort()).toEqual([...fixed, ...others].sort());
  });

  it("a copy of the example file as .env leaves each default of Compose as it is", () => {
    const example = parseEnv(readFileSync(".env.example", "utf8"));
    const defaults = [...text.matchAll(/\$\{([A-Z_]+):?-([^}]+)\}/g)];
    expect(defaults.length).toBeGreaterThan(8);
    for (const [, name = "", value] of defaults) expect([value, undefined], name).toContain(example[name]);
  });
});

describe("networks", () => {
  const neighbours = (name: string) =>
    Object.keys(services).filter(
      (other) => other !== name && of(other).networks?.some((network) => of(name).networks?.includes(network)),
    );

  it("the mailbox meets only those that send mail, and nothing meets the database but what uses it", () => {
    expect(neighbours("mailbox").sort()).toEqual(["canary", "watchdog", "worker"]);
    expect(neighbours("redis")).not.toContain("exchange");
    expect(neighbours("postgres")).not.toContain("mailbox");
  });

  it("what stores data has no way out of this machine", () => {
    for (const name of ["postgres", "redis", "exchange", "migrate", "roles", "seed", "backup", "restore"])
      expect(
        of(name).networks?.map((network) => networks[network]?.internal),
        name,
      ).not.toContain(undefined);
  });
});

describe("what stands in braces", () => {
  it("is the value, what stands instead of none or of an empty one, or a refusal", () => {
    const values = { GIVEN: "a", EMPTY: "" };
    expect(interpolate("${GIVEN}-${GIVEN:-b}-${GIVEN-b}", values)).toBe("a-a-a");
    expect(interpolate("[${EMPTY:-b}][${EMPTY-b}][${NONE-b}][${NONE:-}][${NONE}]", values)).toBe("[b][][b][][]");
    expect(() => interpolate("${NONE:?set NONE}", values)).toThrow("NONE is not set: set NONE");
    expect(() => interpolate("${EMPTY:?set EMPTY}", values)).toThrow("EMPTY is not set");
  });

  it("is understood in every setting of the file", () => {
    const secret = (name: string) => (/(PASSWORD|SECRET|KEYS|KEY|TOKEN)$/.test(name) ? "x" : undefined);
    const values = new Proxy({}, { get: (_, name) => secret(String(name)) });
    const settings = Object.values(services).flatMap(({ environment = {} }) => Object.entries(environment));
    expect(settings.filter(([, value]) => String(value).includes("${")).length).toBeGreaterThan(0);
    for (const [name, value] of settings) expect(interpolate(String(value ?? ""), values), name).not.toMatch(/\$\{/);
  });
});
