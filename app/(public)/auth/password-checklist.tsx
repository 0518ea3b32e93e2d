import { Check } from "../../_ui/icons.tsx";

/** What the hint below the field asks for, one by one (`newPasswordIn` of the contract, which the server checks). */
const RULES = [
  { name: "8 characters", isMet: (password: string) => password.length >= 8 },
  { name: "Uppercase letter", isMet: (password: string) => /\p{Lu}/u.test(password) },
  { name: "Lowercase letter", isMet: (password: string) => /\p{Ll}/u.test(password) },
  { name: "Number", isMet: (password: string) => /\d/.test(password) },
] as const;

/** Which of the rules for a new password are met while it is typed. */
export function PasswordChecklist({ password }: { password: string }) {
  if (password === "") return null;
  return (
    <ul aria-label="Password rules" className="-mt-2 grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
      {RULES.map(({ name, isMet }) => {
        const isDone = isMet(password);
        return (
          <li key={name} className={`flex items-center gap-2 ${isDone ? "text-gain" : "text-muted"}`}>
            {isDone ? (
              <Check aria-hidden className="size-4 shrink-0" />
            ) : (
              <span aria-hidden className="mx-1 size-2 shrink-0 rounded-full border border-current" />
            )}
            <span>
              {name}
              <span className="sr-only">{isDone ? ": met" : ": missing"}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
