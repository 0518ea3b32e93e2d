-- A writer's turn at the audit chain and the end that it carries on from, in one round trip: all others wait meanwhile. The end is the last
-- event, or the remembered one where events behind it are missing. Volatile: the second statement sees what was committed before the turn came.
CREATE FUNCTION take_audit_turn(turn bigint) RETURNS TABLE ("seq" bigint, "hash" text)
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(turn);
  RETURN QUERY SELECT e."seq", e."hash" FROM (
    (SELECT a."seq", a."hash", 1 AS "isEvent" FROM "AuditEvent" a ORDER BY a."seq" DESC LIMIT 1)
    UNION ALL SELECT h."seq", h."hash", 0 FROM "AuditHead" h
  ) e ORDER BY e."seq" DESC, e."isEvent" DESC LIMIT 1;
END $$;
