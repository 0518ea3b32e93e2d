import { Button, Text } from "react-email";
import { easternText } from "@/lib/domain/format.ts";
import { Frame, styles } from "./frame.tsx";
import { toMail, type Mail } from "./to-mail.ts";

export interface PasswordChangedProps {
  firstName: string;
  /** ISO. */
  changedAt: string;
  /** The page to sign in, where the password can be reset. */
  link: string;
  supportEmail: string;
}

export function passwordChangedMail(props: PasswordChangedProps): Promise<Mail> {
  return toMail("Your password was changed", <PasswordChanged {...props} />);
}

function PasswordChanged({ firstName, changedAt, link, supportEmail }: PasswordChangedProps) {
  return (
    <Frame preview="The password of your Tradewind account was changed." supportEmail={supportEmail}>
      <Text style={styles.text}>Hello {firstName},</Text>
      <Text style={styles.text}>
        The password of your Tradewind account was changed on {easternText(changedAt)}. All earlier sign-ins have ended.
      </Text>
      <Button href={link} style={styles.button}>
        Go to sign in
      </Button>
      <Text style={{ ...styles.text, marginTop: "16px" }}>
        If it was not you, choose “Forgot your password?” on the sign-in page at once and write to {supportEmail}.
      </Text>
    </Frame>
  );
}
