import type { Metadata } from "next";
import { PageContent } from "../../../_ui/page-content.tsx";
import { UsersScreen } from "./users-screen.tsx";

export const metadata: Metadata = { title: "Users" };

export default function Page() {
  return (
    <PageContent>
      <UsersScreen />
    </PageContent>
  );
}
