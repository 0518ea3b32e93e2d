import { PlainButtonLink } from "../../_ui/button.tsx";
import { Empty } from "../../_ui/empty.tsx";

/** Where the installation has no demo trader. */
export function NoDemo() {
  return (
    <div className="mx-auto w-full max-w-3xl px-4 py-16 text-center sm:px-6">
      <h1 className="text-2xl font-semibold tracking-tight">Live demo</h1>
      <Empty
        title="There is no live demo in this installation"
        hint="Create an account to see the same on the practice market, with simulated money."
      />
      <PlainButtonLink href="/auth?view=register">Get started</PlainButtonLink>
    </div>
  );
}
