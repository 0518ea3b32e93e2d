import type { Metadata } from "next";
import { requireUser } from "@/lib/server/http/guard.ts";
import { recordAnswers } from "../../../_prefetch/pages.ts";
import { PageContent } from "../../../_ui/page-content.tsx";
import { SymbolScreen } from "../symbol-screen.tsx";

interface Props {
  params: Promise<{ symbol: string }>;
  searchParams: Promise<Record<string, string>>;
}

const named = async (params: Props["params"]) => decodeURIComponent((await params).symbol).toUpperCase();

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await named(params) };
}

export default async function Page({ params, searchParams }: Props) {
  const symbol = await named(params);
  const query = new URLSearchParams(await searchParams);
  const { role } = await requireUser(`/symbols/${encodeURIComponent(symbol)}`);
  return (
    <PageContent answers={await recordAnswers("symbol", { symbol }, role, query)}>
      <SymbolScreen symbol={symbol} />
    </PageContent>
  );
}
