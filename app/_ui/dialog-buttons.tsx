import { Button, type Tone } from "./button.tsx";

interface DialogButtonsProps {
  /** On the button that leaves everything as it is. */
  cancel?: string | undefined;
  onCancel: () => void;
  action: string;
  tone?: Tone | undefined;
  isDisabled?: boolean | undefined;
  /** Left out where the button submits the form that it stands in. */
  onConfirm?: (() => void) | undefined;
}

/** The way out and the act, at the end of a dialog or of its form. */
export function DialogButtons({
  cancel = "Cancel",
  onCancel,
  action,
  tone = "danger",
  isDisabled = false,
  onConfirm,
}: DialogButtonsProps) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button tone="secondary" onClick={onCancel}>
        {cancel}
      </Button>
      <Button
        type={onConfirm === undefined ? "submit" : "button"}
        tone={tone}
        disabled={isDisabled}
        {...(onConfirm && { onClick: onConfirm })}
      >
        {action}
      </Button>
    </div>
  );
}
