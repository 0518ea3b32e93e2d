"use client";
import { useLeaveGuard } from "../../_hooks/use-leave-guard.ts";
import { Button } from "../../_ui/button.tsx";
import { Dialog } from "../../_ui/dialog.tsx";
import { LeaveDialog } from "../../_ui/leave-dialog.tsx";
import { CopyButton } from "../../_ui/copy-button.tsx";

const FILE = "tradewind-recovery-codes.txt";

/** The server keeps hashes alone, so this is the only time that the codes can be read: nothing but the button closes it. */
export function RecoveryCodesDialog({ codes, onSaved }: { codes: string[]; onSaved: () => void }) {
  const guard = useLeaveGuard(true);
  const text = codes.join("\n");

  function download() {
    const content = `Tradewind recovery codes. Each works once.\n\n${text}\n`;
    const url = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: FILE });
    link.click();
    URL.revokeObjectURL(url);
  }

  return (
    <>
      <Dialog
        isOpen
        onClose={() => {}}
        title="Save your recovery codes"
        description="Each code signs you in once when you have lost your second factor. Keep them where you can find them without your phone. They are not shown again."
      >
        <ul
          data-print
          aria-label="Recovery codes"
          className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-lg bg-sunken p-4 font-mono text-sm sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code} className="whitespace-nowrap">
              {code}
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3 print:hidden">
          <CopyButton text={text}>Copy</CopyButton>
          <Button tone="secondary" onClick={download}>
            Download
          </Button>
          <Button tone="secondary" onClick={() => window.print()}>
            Print
          </Button>
        </div>
        <Button onClick={onSaved} className="print:hidden">
          I have saved them
        </Button>
      </Dialog>
      <LeaveDialog
        isOpen={guard.isAsking}
        title="Leave without saving them?"
        description="The recovery codes stay valid and are not shown again."
        onStay={guard.stay}
        onLeave={guard.leave}
      />
    </>
  );
}
