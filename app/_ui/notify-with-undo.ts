interface NoticeOptions {
  description?: string | undefined;
  /** For `withdrawNotice`. */
  id?: string;
}

/** Removes a notice that is no longer true. */
export function withdrawNotice(id: string): void {
  void import("sonner").then(({ toast }) => toast.dismiss(id));
}

/** Says that something reversible was done, with the way back. The code of such messages comes when it is needed. */
export function notifyWithUndo(message: string, undo: () => void, { description, id }: NoticeOptions = {}): void {
  void import("sonner").then(({ toast }) =>
    toast(message, {
      ...(id === undefined ? {} : { id }),
      ...(description === undefined ? {} : { description }),
      action: { label: "Undo", onClick: undo },
      duration: 10_000,
    }),
  );
}

/** Something that was asked for did not happen, where no place on the page can say it. */
export function notifyFailure(message: string, description: string): void {
  void import("sonner").then(({ toast }) => toast.error(message, { description }));
}
