/** The one place that says how an account's keys, or the access granted to it, go over the wire. */
import { streaming, type trading } from "@alpacahq/alpaca-trade-api";
import type { AccountAccessName } from "@/lib/domain/enums.ts";
import type { BrokerKeys } from "../context.ts";
import { hideFromOutput } from "../json-lines.mjs";

export const accessOf = (keys: BrokerKeys): AccountAccessName => ("accessToken" in keys ? "OAUTH" : "KEYS");

/** Of REST: the two key headers, or `Authorization: Bearer`. */
export function requestCredentials(
  keys: BrokerKeys,
): Pick<trading.ConfigurationParameters, "keyId" | "secret" | "accessToken"> {
  if (!("accessToken" in keys)) return { keyId: keys.keyId, secret: keys.secret };
  hideFromOutput(keys.accessToken);
  return { accessToken: keys.accessToken };
}

type StreamOptions = Omit<streaming.TradingStreamOptions, "credentials">;

/** The trade updates take a token as Alpaca documents it; the SDK sends keys alone. */
class GrantedStream extends streaming.TradingStream {
  readonly #accessToken: string;

  constructor(accessToken: string, options: StreamOptions) {
    // The SDK asks for a pair before it connects, and sends it nowhere else than in `sendAuth`.
    super({ ...options, credentials: { keyId: "oauth", secret: "oauth" } });
    this.#accessToken = accessToken;
  }

  protected override sendAuth(): void {
    this.send({ action: "authenticate", data: { oauth_token: this.#accessToken } });
  }
}

export const tradingStream = (keys: BrokerKeys, options: StreamOptions): streaming.TradingStream =>
  "accessToken" in keys
    ? new GrantedStream(keys.accessToken, options)
    : new streaming.TradingStream({ ...options, credentials: keys });
