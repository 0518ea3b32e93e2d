import { ButtonLink } from "../../_ui/button.tsx";
import { Card } from "../../_ui/card.tsx";

export function AdminDashboard({ firstName }: { firstName: string }) {
  return (
    <div className="flex flex-col gap-6">
      <h1 className="text-2xl font-semibold tracking-tight">Dashboard</h1>
      <Card title={`Signed in as administrator, ${firstName}`}>
        <p className="max-w-prose">
          System figures, health and controls come with the admin console, a page of its own. The trades of all users
          are here today.
        </p>
        <ButtonLink href="/trade-history" className="mt-4">
          Trade History
        </ButtonLink>
      </Card>
    </div>
  );
}
