import type { SessionUser } from "../../_hooks/use-session.ts";
import type { Preferences } from "./use-preferences.ts";

export interface Note {
  kind: "success" | "failure";
  text: string;
  detail?: string | undefined;
}

/** What every tab is given. */
export interface TabProps {
  user: SessionUser;
  preferences: Preferences;
  /** Shown in the banner above the tabs. */
  onNote: (note: Note | null) => void;
  /** Whether something was typed that is not saved. */
  onUnsaved: (isUnsaved: boolean) => void;
}

export const succeeded = (text: string): Note => ({ kind: "success", text });

/** "Failed to save {tab} settings: {message or Unknown error}" */
export const failed = (tab: string, { text, detail }: Pick<Note, "text" | "detail">): Note => ({
  kind: "failure",
  text: `Failed to save ${tab} settings: ${text}`,
  detail,
});
