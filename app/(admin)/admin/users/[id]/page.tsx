import type { Metadata } from "next";
import { PageContent } from "../../../../_ui/page-content.tsx";
import { UserScreen } from "./user-screen.tsx";

export const metadata: Metadata = { title: "A user" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <PageContent>
      <UserScreen id={id} />
    </PageContent>
  );
}
