import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

const FOLDER = "deploy/kubernetes";

interface Probe {
  httpGet?: { path: string; port: string };
  exec?: { command: string[] };
}
interface Container {
  name: string;
  image: string;
  command: string[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: unknown;
  ports?: { name: string; containerPort: number }[];
  securityContext: object;
  resources: { requests: object; limits: { memory: string } };
  volumeMounts: { name: string; mountPath: string }[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    automountServiceAccountToken: boolean;
    terminationGracePeriodSeconds: number;
    securityContext: object;
    containers: Container[];
    volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[];
    hostNetwork?: boolean;
  };
}
interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    replicas?: number;
    template?: Pod;
    selector?: Record<string, unknown> & { matchLabels?: Record<string, string> };
    podSelector?: { matchLabels?: Record<string, string> };
  };
}

const kustomization = parse(readFileSync(path.join(FOLDER, "kustomization.yaml"), "utf8")) as {
  resources: string[];
  images: { name: string; newTag: string }[];
};
const resources = kustomization.resources.flatMap((file) =>
  parseAllDocuments(readFileSync(path.join(FOLDER, file), "utf8")).map((document) => {
    expect(document.errors, file).toEqual([]);
    return document.toJS() as Resource;
  }),
);
const named = (kind: string) => resources.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);
const pods = resources.flatMap(({ kind, metadata, spec }) =>
  spec?.template ? [[metadata.name, kind, spec.template] as const] : [],
);
const settings = (name: string) =>
  resources.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === name)?.data;
const labels = pods.map(([, , pod]) => pod.metadata.labels.app);

it("the base holds every file of its folder, and the resources that there are", () => {
  const files = readdirSync(FOLDER).filter((name) => name !== "kustomization.yaml");
  expect([...kustomization.resources].sort()).toEqual(files.sort());
  expect(named("Deployment").sort()).toEqual(["canary", "watchdog", "web", "worker"]);
  expect(named("Job")).toEqual(["migrate", "seed"]);
  expect(named("Service")).toEqual(["web"]);
  expect(named("ConfigMap")).toEqual(["tradewind", "canary"]);
  expect(named("PodDisruptionBudget").sort()).toEqual(["watchdog", "web", "worker"]);
  expect(named("NetworkPolicy")).toContain("nothing-comes-in");
  expect(named("Secret"), "secrets stand elsewhere").toEqual([]);
});

it("each kind is asked for in the version of its API that is in force", () => {
  const VERSIONS: Record<string, string> = {
    ...{ ConfigMap: "v1", PersistentVolumeClaim: "v1", Service: "v1", Deployment: "apps/v1", Job: "batch/v1" },
    ...{ NetworkPolicy: "networking.k8s.io/v1", PodDisruptionBudget: "policy/v1" },
  };
  for (const { kind, apiVersion } of resources) expect(apiVersion, kind).toBe(VERSIONS[kind]);
});

describe.each(pods)("%s (%s)", (name, kind, { metadata, spec }) => {
  const [container] = spec.containers as [Container];

  it("runs as an ordinary user, with a read-only root and without any right", () => {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.hostNetwork).toBeUndefined();
    expect(spec.containers).toHaveLength(1);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.resources.limits.memory).toMatch(/^\d+[GM]i$/);
  });

  it("names an image whose tag the base sets, never the latest", () => {
    const image = kustomization.images.find((each) => each.name === container.image);
    expect(image?.newTag).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("starts what its image holds", () => {
    const [program, script = ""] = container.command;
    expect(program).toBe("node");
    const source = script.replace(/^dist\/(.*)\.mjs$/, "$1.ts");
    expect(existsSync(source), script).toBe(true);
  });

  it("takes its secrets by reference and mounts volumes that it has", () => {
    expect(container.env).toBeUndefined();
    const secret = name === "migrate" ? "tradewind-migration" : "tradewind";
    const own = name === "canary" ? [{ configMapRef: { name: "canary" } }] : [];
    expect(container.envFrom).toEqual([
      { configMapRef: { name: "tradewind" } },
      ...own,
      { secretRef: { name: secret } },
    ]);
    expect(container.volumeMounts.map((mount) => mount.name).sort()).toEqual(
      spec.volumes.map((each) => each.name).sort(),
    );
    for (const { persistentVolumeClaim: claim } of spec.volumes)
      if (claim) expect(named("PersistentVolumeClaim")).toContain(claim.claimName);
  });

  it("says whether it is well, by the product's own endpoints or its beat", () => {
    expect(metadata.labels.app).toBe(name);
    if (kind === "Job") {
      expect(container.livenessProbe).toBeUndefined();
      return;
    }
    for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe]) {
      if (probe?.httpGet) {
        expect(existsSync(path.join("app", probe.httpGet.path, "route.ts")), probe.httpGet.path).toBe(true);
        expect(container.ports?.map((port) => port.name)).toContain(probe.httpGet.port);
      } else if (probe) expect(existsSync(probe.exec?.command[1] ?? "")).toBe(true);
    }
    expect(container.livenessProbe).toBeDefined();
    if (name === "web") expect(container.readinessProbe?.httpGet?.path).toBe("/api/v1/health/live");
    else expect(container.livenessProbe?.exec?.command).toContain("--unknown-is-alive");
  });
});

it("a web pod that is told to go answers until the proxies know, and is given the time for it and for what it answers", () => {
  const [, , { spec }] = pods.find(([name]) => name === "web")!;
  const [program, waits] = spec.containers[0]?.lifecycle?.preStop.exec.command ?? [];
  expect(program).toBe("sleep");
  expect(Number(waits)).toBeGreaterThanOrEqual(5);
  const grace =
    Number(/GRACE_MS = ([\d_]+)/.exec(readFileSync("scripts/web.mjs", "utf8"))?.[1]?.replace("_", "")) / 1000;
  expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(waits) + grace);
});

it("selectors find pods that there are", () => {
  const chosen = resources.flatMap(({ kind, metadata, spec }) => {
    const of = spec?.selector?.matchLabels ?? (kind === "Service" ? spec.selector : spec?.podSelector?.matchLabels);
    return of ? [{ name: `${kind} ${metadata.name}`, app: of.app }] : [];
  });
  expect(chosen.length).toBeGreaterThanOrEqual(pods.length);
  for (const { name, app } of chosen) expect(labels, name).toContain(app);
});

it("no secret stands in the settings", () => {
  const { data = {} } = resources.find(({ kind }) => kind === "ConfigMap") ?? {};
  expect(Object.keys(data).filter((name) => /SECRET|KEY|PASSWORD|TOKEN|DATABASE_URL|REDIS_URL/.test(name))).toEqual([]);
});

it("the canary is the worker's pod of a version of its own, told that it is one, and none runs until it is asked for", () => {
  const deployment = (name: string) =>
    resources.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === name)!.spec;
  const pod = (name: string) => {
    const { spec } = deployment(name).template!;
    const [{ image, envFrom, ...container }] = spec.containers as [Container];
    return { image, envFrom, rest: { ...spec, containers: [{ ...container, name: "worker" }] } };
  };
  const [canary, worker] = [pod("canary"), pod("worker")];
  expect(canary.rest).toEqual(worker.rest);
  expect([canary.image, worker.image, deployment("canary").replicas]).toEqual(["tradewind-canary", "tradewind", 0]);
  expect(settings("canary")).toEqual({ CANARY: "1", INSTANCE_ID: expect.stringMatching(/^canary-\d/) as string });
});

it("a build is known by the version of its images, and the migrations' version can be another one", () => {
  const tagOf = (name: string) => kustomization.images.find((each) => each.name === name)?.newTag;
  expect(settings("tradewind")?.INSTANCE_ID).toBe(tagOf("tradewind"));
  expect(settings("canary")?.INSTANCE_ID).toBe(`canary-${tagOf("tradewind-canary")}`);
  const images = new Map(pods.map(([name, , pod]) => [name, pod.spec.containers[0]?.image]));
  expect(images.get("migrate")).toBe("tradewind-migrate");
  expect([...images].filter(([, image]) => image === "tradewind-migrate").map(([name]) => name)).toEqual(["migrate"]);
});
