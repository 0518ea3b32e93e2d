interface PasskeyRow {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** A passkey as its owner sees it. */
export function passkeyView({ id, name, createdAt, lastUsedAt }: PasskeyRow): PasskeyRow {
  return { id, name, createdAt, lastUsedAt };
}
