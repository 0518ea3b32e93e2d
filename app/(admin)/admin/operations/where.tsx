import Link from "next/link";
import type { Environment } from "@/lib/domain/enums.ts";
import { EnvironmentBadge } from "../../../_ui/badge.tsx";

interface WhereProps {
  of: { account: string; environment: Environment; ownerId: string; owner: string };
}

/** Whose account a matter is in; the owner leads to their page. */
export function Where({ of: { account, environment, ownerId, owner } }: WhereProps) {
  return (
    <span className="flex flex-wrap items-center gap-2 text-muted">
      <span className="wrap-anywhere">{account}</span>
      <EnvironmentBadge environment={environment} />
      <Link
        href={`/admin/users/${ownerId}`}
        className="tap text-accent underline-offset-4 wrap-anywhere hover:underline"
      >
        {owner}
      </Link>
    </span>
  );
}
