"use client";
import { OctagonX } from "lucide-react";
import { useState } from "react";
import { killSwitchApi } from "@/lib/contracts/kill-switch.ts";
import { useEndpoint } from "../_hooks/use-endpoint.ts";
import { Button } from "../_ui/button.tsx";
import { KillSwitchDialog } from "./kill-switch-dialog.tsx";

const POLL_MS = 10_000;

/** In the head of every administrators' page: red while any kill switch is in force. */
export function KillSwitchButton() {
  const [isOpen, setOpen] = useState(false);
  const read = useEndpoint(killSwitchApi.read, {}, { pollMs: POLL_MS });
  const count = read.data?.inForce.length ?? 0;
  return (
    <>
      <Button tone={count > 0 ? "danger" : "secondary"} onClick={() => setOpen(true)}>
        <OctagonX aria-hidden className="size-4" />
        {count > 0 ? `Kill switch: ${count} in force` : "Kill switch"}
      </Button>
      {isOpen && <KillSwitchDialog read={read} onClose={() => setOpen(false)} />}
    </>
  );
}
