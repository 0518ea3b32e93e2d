import { Button, Text } from "react-email";
import { Frame, styles } from "./frame.tsx";
import { toMail, type Mail } from "./to-mail.ts";

export interface ResetPasswordProps {
  /** Null: the mail names no recipient. */
  firstName: string | null;
  link: string;
  /** "30 minutes". */
  validFor: string;
  supportEmail: string;
}

export function resetPasswordMail(props: ResetPasswordProps): Promise<Mail> {
  return toMail("Reset your password", <ResetPassword {...props} />);
}

function ResetPassword({ firstName, link, validFor, supportEmail }: ResetPasswordProps) {
  return (
    <Frame preview="Choose a new password for your Tradewind account." supportEmail={supportEmail}>
      <Text style={styles.text}>{firstName === null ? "Hello," : `Hello ${firstName},`}</Text>
      <Text style={styles.text}>
        We received a request to reset the password of your Tradewind account. If it was you, choose a new password
        here.
      </Text>
      <Button href={link} style={styles.button}>
        Choose a new password
      </Button>
      <Text style={{ ...styles.text, marginTop: "16px" }}>
        The link works once, within {validFor} of the request. If it was not you, ignore this email: your password stays
        as it is.
      </Text>
      <Text className="muted" style={{ ...styles.small, wordBreak: "break-all" }}>
        {link}
      </Text>
    </Frame>
  );
}
