import { Cluster, type ClusterOptions, type RedisOptions } from "ioredis";
import { env, redisUrls } from "./env.ts";

/** REDIS_URL names several servers: they are nodes of one Redis Cluster. */
export const isOnCluster = (): boolean => redisUrls(env().REDIS_URL ?? "").length > 1;

/** A client of the cluster. It finds the other nodes, and who took a lost one's place, from those that REDIS_URL names. */
export function openCluster(
  options: Pick<
    ClusterOptions,
    "enableOfflineQueue" | "retryDelayOnFailover" | "retryDelayOnClusterDown" | "retryDelayOnTryAgain"
  >,
  patience: Pick<RedisOptions, "commandTimeout" | "maxRetriesPerRequest">,
): Cluster {
  const urls = redisUrls(env().REDIS_URL ?? "").map((url) => new URL(url));
  const [{ username, password, protocol } = new URL("redis://")] = urls;
  const nodes = urls.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || 6379),
  }));
  return new Cluster(nodes, {
    ...options,
    // The name stays the name: a certificate is made out to it.
    dnsLookup: (name, found) => found(null, name),
    redisOptions: {
      ...patience,
      ...(username === "" ? {} : { username: decodeURIComponent(username) }),
      ...(password === "" ? {} : { password: decodeURIComponent(password) }),
      ...(protocol === "rediss:" ? { tls: {} } : {}),
    },
  });
}
