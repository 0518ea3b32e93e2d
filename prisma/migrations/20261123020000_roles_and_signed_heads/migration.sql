-- The application's role has no right to change AuditHead: the end of the chain moves through this function of the
-- owner's, and only forward. Who may call it, and every other right, is granted by prisma/roles.mjs after each migration.
CREATE FUNCTION move_audit_head(next_seq bigint, next_hash text, next_proof text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO "AuditHead" AS h ("id", "seq", "hash", "proof") VALUES (1, next_seq, next_hash, next_proof)
  ON CONFLICT ("id") DO UPDATE SET "seq" = excluded."seq", "hash" = excluded."hash", "proof" = excluded."proof"
  WHERE h."seq" < excluded."seq";
  IF NOT FOUND THEN RAISE EXCEPTION 'the end of the audit chain does not move back to %', next_seq; END IF;
END $$;
REVOKE EXECUTE ON FUNCTION move_audit_head(bigint, text, text) FROM PUBLIC;
