import { Button, Text } from "react-email";
import { easternText } from "@/lib/domain/format.ts";
import { Frame, styles } from "./frame.tsx";
import { toMail, type Mail } from "./to-mail.ts";

export interface AccountErasedProps {
  firstName: string;
  /** ISO. */
  erasedAt: string;
  /** Where a new account is made. */
  link: string;
  supportEmail: string;
}

export function accountErasedMail(props: AccountErasedProps): Promise<Mail> {
  return toMail("Your account was deleted", <AccountErased {...props} />);
}

function AccountErased({ firstName, erasedAt, link, supportEmail }: AccountErasedProps) {
  return (
    <Frame preview="Your Tradewind account was deleted." supportEmail={supportEmail}>
      <Text style={styles.text}>Hello {firstName},</Text>
      <Text style={styles.text}>
        Your Tradewind account was deleted on {easternText(erasedAt)}, and your personal data was erased. Protective
        stops that rest at your broker stay there. This is the last email about your account.
      </Text>
      <Button href={link} style={styles.button}>
        Go to Tradewind
      </Button>
      <Text style={{ ...styles.text, marginTop: "16px" }}>
        If it was not you, write to {supportEmail} at once, and change this password everywhere else you use it.
      </Text>
    </Frame>
  );
}
