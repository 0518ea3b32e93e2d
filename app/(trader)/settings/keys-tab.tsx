import { ButtonLink } from "../../_ui/button-link.tsx";
import { Card } from "../../_ui/card.tsx";

export function KeysTab() {
  return (
    <Card title="API Keys" className="max-w-2xl">
      <div className="flex flex-col items-start gap-3">
        <p>
          Tradewind trades through the brokerage accounts that you connect. Their keys are checked with the broker,
          stored encrypted and never shown again; the list shows only their first 8 characters.
        </p>
        <p className="text-muted">
          Accounts are added, paused and deleted on their own page. Use keys without the right to withdraw money, and
          delete a key at the broker when you no longer need it.
        </p>
        <ButtonLink href="/alpaca-keys">Manage API Keys</ButtonLink>
      </div>
    </Card>
  );
}
