import type { ReactNode } from "react";
import { quantityText } from "@/lib/domain/format.ts";
import { FoldCard } from "../../_ui/fold.tsx";
import { Money } from "../../_ui/money.tsx";
import { Time } from "../../_ui/time.tsx";
import { orderClassLabel, orderLabel, ROLE, type TradeDetail } from "./labels.ts";

/** The order as the broker has it, and what was decided. */
export function OrderFacts({ trade }: { trade: TradeDetail }) {
  const { order, intent } = trade;
  return (
    <FoldCard title="Order" note="what was sent, and its identifiers">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 text-sm @2xl:grid-cols-4">
        <Fact label="Purpose">{ROLE[order.role]}</Fact>
        <Fact label="Type">{`${orderLabel(order.type)}, ${orderClassLabel(order.orderClass)}`}</Fact>
        <Fact label="Time in force">{orderLabel(order.timeInForce)}</Fact>
        <Fact label="Broker's status">{orderLabel(order.brokerStatus)}</Fact>
        <Fact label="Ordered">
          {trade.quantity === null ? <Money value={order.notional} /> : quantityText(trade.quantity)}
        </Fact>
        {order.limitPrice !== null && (
          <Fact label="Limit">
            <Money value={order.limitPrice} />
          </Fact>
        )}
        {order.stopPrice !== null && (
          <Fact label="Stop">
            <Money value={order.stopPrice} />
          </Fact>
        )}
        {intent !== null && (
          <Fact label="Decision price">
            <Money value={intent.decisionPrice} />
          </Fact>
        )}
        {intent?.takeProfitPrice != null && (
          <Fact label="Target">
            <Money value={intent.takeProfitPrice} />
          </Fact>
        )}
        {intent?.stopLossPrice != null && (
          <Fact label="Stop below">
            <Money value={intent.stopLossPrice} />
          </Fact>
        )}
        <Fact label="Sent" isLong>
          <Time at={order.submittedAt} />
        </Fact>
        {order.filledAt !== null && (
          <Fact label="Filled" isLong>
            <Time at={order.filledAt} />
          </Fact>
        )}
        {order.endedAt !== null && (
          <Fact label="Ended" isLong>
            <Time at={order.endedAt} />
          </Fact>
        )}
      </dl>
      <dl className="mt-3 grid gap-x-4 gap-y-3 text-sm @2xl:grid-cols-2">
        <Fact label="Trade ID">
          <code className="font-mono text-xs break-all">{trade.id}</code>
        </Fact>
        <Fact label="Broker's order">
          <code className="font-mono text-xs break-all">{order.brokerOrderId}</code>
        </Fact>
        <Fact label="Client order">
          <code className="font-mono text-xs break-all">{order.clientOrderId}</code>
        </Fact>
      </dl>
    </FoldCard>
  );
}

function Fact({ label, isLong = false, children }: { label: string; isLong?: boolean; children: ReactNode }) {
  return (
    <div className={isLong ? "col-span-2 @2xl:col-span-1" : ""}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="mt-0.5 tabular-nums">{children}</dd>
    </div>
  );
}
