import { redirect } from "next/navigation";
import { currentUser } from "@/lib/server/http/guard.ts";

/** Any path that is no page of ours. */
export default async function Page() {
  redirect((await currentUser()) === null ? "/" : "/dashboard");
}
