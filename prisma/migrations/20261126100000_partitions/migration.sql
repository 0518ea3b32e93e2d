-- Decisions by month of their ids, points of equity by year of market time (docs/decisions/0016-partitions.md). The partitions stand in a schema of
-- their own, in which the application's role has no rights: it reads and writes the tables above them.
CREATE SCHEMA "partitions";

-- Ids of version 7 begin with 48 bits of time in milliseconds.
CREATE FUNCTION partitions.first_id(moment timestamptz) RETURNS uuid LANGUAGE sql STABLE STRICT AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
CREATE FUNCTION partitions.time_of(id uuid) RETURNS timestamptz LANGUAGE sql STABLE STRICT AS $$
  SELECT to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
$$;

-- The partitions of a table with their bounds, without the one that catches the rest.
CREATE FUNCTION partitions.of(parent text) RETURNS TABLE (part text, starts timestamptz, ends timestamptz) LANGUAGE sql STABLE AS $$
  SELECT c.relname::text, coalesce(CASE parent WHEN 'DecisionRecord' THEN partitions.time_of(bounds[1]::uuid) ELSE bounds[1]::timestamptz END, '-infinity'),
    CASE parent WHEN 'DecisionRecord' THEN partitions.time_of(bounds[2]::uuid) ELSE bounds[2]::timestamptz END
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  CROSS JOIN regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$FROM \((?:MINVALUE|'(.+)')\) TO \('(.+)'\)$re$) AS bounds
  WHERE i.inhparent = format('public.%I', parent)::regclass AND bounds IS NOT NULL
$$;

-- Makes a partition and takes to it what of its range lies in the rest. Whoever reads or writes the table waits for as long as that takes. It gives up
-- before Postgres looks for a deadlock, so that it makes no transaction fail but one that was about to write a row of this range to the rest.
CREATE FUNCTION partitions.add(parent text, part text, lower text, upper text) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '500ms' AS $$
DECLARE
  referenced record;
  intents uuid[];
  decisions uuid[];
BEGIN
  FOR referenced IN SELECT DISTINCT confrelid::regclass::text AS name FROM pg_constraint
    WHERE conrelid = format('public.%I', parent)::regclass AND contype = 'f' AND confrelid <> conrelid ORDER BY 1
  LOOP
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', referenced.name);
  END LOOP;
  EXECUTE format('LOCK TABLE partitions.%I IN ACCESS EXCLUSIVE MODE', parent || '_rest');
  EXECUTE format('CREATE TABLE partitions.%I (LIKE public.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part, parent);
  IF parent = 'DecisionRecord' THEN
    EXECUTE format('CREATE UNIQUE INDEX ON partitions.%I ("cycleId", "accountId")', part);
    -- For the foreign key a decision is gone while it is moved.
    SELECT array_agg(i."id"), array_agg(i."decisionId") INTO intents, decisions FROM "Intent" i
      WHERE i."decisionId" IN (SELECT "id" FROM partitions."DecisionRecord_rest" WHERE "id" >= lower::uuid AND "id" < upper::uuid);
  END IF;
  EXECUTE format('WITH moved AS (DELETE FROM partitions.%I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO partitions.%I SELECT * FROM moved',
    parent || '_rest', CASE parent WHEN 'DecisionRecord' THEN 'id' ELSE 'at' END, lower, CASE parent WHEN 'DecisionRecord' THEN 'id' ELSE 'at' END, upper, part);
  EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION partitions.%I FOR VALUES FROM (%L) TO (%L)', parent, part, lower, upper);
  UPDATE "Intent" i SET "decisionId" = m."decision" FROM unnest(intents, decisions) AS m("intent", "decision") WHERE i."id" = m."intent";
END $$;

-- Whether more rows of a range than that lie in the rest.
CREATE FUNCTION partitions.are_more(parent text, lower text, upper text, most bigint) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  are boolean;
  key text := CASE parent WHEN 'DecisionRecord' THEN 'id' ELSE 'at' END;
BEGIN
  EXECUTE format('SELECT count(*) > $1 FROM (SELECT FROM partitions.%I WHERE %I >= %L AND %I < %L LIMIT $1 + 1) few', parent || '_rest', key, lower, key, upper)
    INTO are USING most;
  RETURN coalesce(are, false);
END $$;

-- Makes what is missing of this month and the three after it, of this year and the next by the clock and by that of each market, and of every month and
-- year that has rows in the rest (years up to fifty). Ids of a later time than that are wrong and stay in the rest, and so do more rows of a month or year
-- than "most": trading waits while they are moved. Null: whatever there is. Answers how many were made.
CREATE FUNCTION make_partitions(most bigint DEFAULT 50000) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  made integer := 0;
  wanted record;
BEGIN
  PERFORM pg_advisory_xact_lock(720261126);
  FOR wanted IN
    SELECT 'DecisionRecord' AS parent, to_char(m, '"DecisionRecord"_YYYY_MM') AS part, m AS starts, m + interval '1 month' AS ends,
      partitions.first_id(m)::text AS lower, partitions.first_id(m + interval '1 month')::text AS upper
    FROM (
      SELECT generate_series(date_trunc('month', now()), now() + interval '3 months', interval '1 month')
      UNION SELECT date_trunc('month', partitions.time_of("id")) FROM partitions."DecisionRecord_rest" WHERE "id" < partitions.first_id(now() + interval '3 months')
    ) months(m)
    UNION ALL
    SELECT 'EquityPoint', to_char(y, '"EquityPoint"_YYYY'), y, y + interval '1 year', y::text, (y + interval '1 year')::text
    FROM (
      SELECT generate_series(date_trunc('year', now()), now() + interval '1 year', interval '1 year')
      UNION SELECT date_trunc('year', "asOf") + n * interval '1 year' FROM "AccountFigures", generate_series(0, 1) n WHERE "asOf" IS NOT NULL
      UNION SELECT date_trunc('year', "at") FROM partitions."EquityPoint_rest"
    ) years(y)
    ORDER BY 1, 3
  LOOP
    CONTINUE WHEN EXISTS (SELECT FROM partitions.of(wanted.parent) o WHERE o.starts < wanted.ends AND o.ends > wanted.starts);
    -- A market may run through any number of years, and a statement locks each partition that it asks: the others stay in the rest.
    CONTINUE WHEN wanted.parent = 'EquityPoint' AND wanted.starts NOT BETWEEN date_trunc('year', now()) AND now() + interval '1 year'
      AND (SELECT count(*) FROM partitions.of('EquityPoint')) >= 50;
    CONTINUE WHEN partitions.are_more(wanted.parent, wanted.lower, wanted.upper, most);
    PERFORM partitions.add(wanted.parent, wanted.part, wanted.lower, wanted.upper);
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;
REVOKE EXECUTE ON FUNCTION make_partitions(bigint) FROM PUBLIC;

-- What the planner knows of a table with partitions, which autovacuum does not look after.
CREATE FUNCTION analyze_partitioned() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
BEGIN
  ANALYZE "DecisionRecord", "EquityPoint";
END $$;
REVOKE EXECUTE ON FUNCTION analyze_partitioned() FROM PUBLIC;

-- Partitions of decisions that ended before a moment, the oldest first.
CREATE FUNCTION ended_decision_partitions(moment timestamptz) RETURNS TABLE ("part" text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT o.part FROM partitions.of('DecisionRecord') o WHERE o.ends <= moment ORDER BY o.ends
$$;
REVOKE EXECUTE ON FUNCTION ended_decision_partitions(timestamptz) FROM PUBLIC;

-- Drops such a partition where nothing is left in it. Else, once, writes what is left anew, which gives the room of deleted rows back; whoever reads
-- the partition waits meanwhile, and the caller says for how long at most (statement_timeout). Answers what was done.
CREATE FUNCTION release_decision_partition(name text, moment timestamptz, may_rewrite boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  found record;
  is_empty boolean;
BEGIN
  SELECT o.starts, format('partitions.%I', o.part)::regclass AS id INTO found FROM partitions.of('DecisionRecord') o WHERE o.part = name AND o.ends <= moment;
  IF found.id IS NULL THEN RETURN 'kept'; END IF;
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s)', found.id) INTO is_empty;
  IF NOT is_empty THEN
    IF NOT may_rewrite OR obj_description(found.id, 'pg_class') IS NOT NULL THEN RETURN 'kept'; END IF;
    EXECUTE format('CLUSTER %s USING %I', found.id,
      (SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = found.id AND i.indisprimary));
    EXECUTE format('COMMENT ON TABLE %s IS %L', found.id, 'rewritten ' || now()::date);
    RETURN 'rewritten';
  END IF;
  -- Everything before the first month has its place for good.
  IF found.starts = '-infinity' THEN RETURN 'kept'; END IF;
  LOCK TABLE "DecisionRecord" IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('SELECT NOT EXISTS (SELECT FROM %s)', found.id) INTO is_empty;
  IF NOT is_empty THEN RETURN 'kept'; END IF;
  EXECUTE format('ALTER TABLE "DecisionRecord" DETACH PARTITION %s', found.id);
  EXECUTE format('DROP TABLE %s', found.id);
  RETURN 'dropped';
END $$;
REVOKE EXECUTE ON FUNCTION release_decision_partition(text, timestamptz, boolean) FROM PUBLIC;

-- Only for the migration: the keys, indexes and rights of a table for the one that takes its place. Unique keys are made by hand.
CREATE FUNCTION partitions.succeed(earlier regclass, parent regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  each record;
BEGIN
  FOR each IN
    SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', parent, conname, pg_get_constraintdef(oid)) AS change
    FROM pg_constraint WHERE conrelid = earlier AND contype = 'f'
    UNION ALL
    SELECT replace(pg_get_indexdef(indexrelid), format(' ON %s ', earlier), format(' ON %s ', parent)) FROM pg_index WHERE indrelid = earlier AND NOT indisunique
    UNION ALL
    SELECT format('GRANT %s ON %s TO %I', g.privilege_type, parent, r.rolname) FROM pg_class c, aclexplode(c.relacl) g JOIN pg_roles r ON r.oid = g.grantee
    WHERE c.oid = earlier AND g.grantee <> c.relowner
    UNION ALL
    SELECT DISTINCT format('REVOKE ALL ON %s FROM %I', earlier, r.rolname) FROM pg_class c, aclexplode(c.relacl) g JOIN pg_roles r ON r.oid = g.grantee
    WHERE c.oid = earlier AND g.grantee <> c.relowner
  LOOP
    EXECUTE each.change;
  END LOOP;
END $$;

-- Decisions. What there is becomes the partition of everything before the next month, without being copied.
ALTER TABLE "Intent" DROP CONSTRAINT "Intent_decisionId_fkey";
DROP TRIGGER "DecisionRecord_immutable" ON "DecisionRecord";
-- squawk-ignore renaming-table -- the new table has the name and the columns of the old one
ALTER TABLE "DecisionRecord" RENAME TO "DecisionRecord_before";
ALTER TABLE "DecisionRecord_before" SET SCHEMA partitions;
CREATE TABLE "DecisionRecord" (LIKE partitions."DecisionRecord_before" INCLUDING DEFAULTS INCLUDING CONSTRAINTS, CONSTRAINT "DecisionRecord_pkey" PRIMARY KEY ("id"))
  PARTITION BY RANGE ("id");
SELECT partitions.succeed('partitions."DecisionRecord_before"', '"DecisionRecord"');
-- A cycle decides once for an account: an id has the time of its cycle's id, so that all decisions of a cycle lie in one partition, and each
-- partition has a unique key. Before the first month there is one partition, and ids had a time of their own.
DO $$
DECLARE
  first uuid := partitions.first_id(date_trunc('month', now(), 'UTC') + interval '1 month');
  tie text := format('CONSTRAINT "DecisionRecord_time_of_cycle" CHECK (("id" < %L AND "cycleId" < %L) OR left("id"::text, 13) = left("cycleId"::text, 13))', first, first);
BEGIN
  EXECUTE format('ALTER TABLE partitions."DecisionRecord_before" ADD %s', tie);
  EXECUTE format('ALTER TABLE "DecisionRecord" ADD %s', tie);
  EXECUTE format('ALTER TABLE "DecisionRecord" ATTACH PARTITION partitions."DecisionRecord_before" FOR VALUES FROM (MINVALUE) TO (%L)', first);
END $$;
CREATE TABLE partitions."DecisionRecord_rest" PARTITION OF "DecisionRecord" DEFAULT;
CREATE UNIQUE INDEX "DecisionRecord_rest_cycleId_accountId_key" ON partitions."DecisionRecord_rest" ("cycleId", "accountId");
CREATE TRIGGER "DecisionRecord_immutable" BEFORE UPDATE ON "DecisionRecord" FOR EACH ROW EXECUTE FUNCTION refuse_change();
-- squawk-ignore adding-foreign-key-constraint -- it was there before: few intents are looked at
ALTER TABLE "Intent" ADD CONSTRAINT "Intent_decisionId_fkey" FOREIGN KEY ("decisionId") REFERENCES "DecisionRecord"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Points of equity. What there is becomes the partition of everything before the next year of market time.
-- squawk-ignore renaming-table -- the new table has the name and the columns of the old one
ALTER TABLE "EquityPoint" RENAME TO "EquityPoint_before";
ALTER TABLE "EquityPoint_before" SET SCHEMA partitions;
CREATE TABLE "EquityPoint" (LIKE partitions."EquityPoint_before" INCLUDING DEFAULTS INCLUDING CONSTRAINTS, CONSTRAINT "EquityPoint_pkey" PRIMARY KEY ("accountId", "at"))
  PARTITION BY RANGE ("at");
SELECT partitions.succeed('partitions."EquityPoint_before"', '"EquityPoint"');
CREATE TABLE partitions."EquityPoint_rest" PARTITION OF "EquityPoint" DEFAULT;
DO $$
DECLARE
  latest timestamptz := (SELECT max("at") FROM partitions."EquityPoint_before");
BEGIN
  IF latest IS NULL THEN
    DROP TABLE partitions."EquityPoint_before";
  ELSE
    EXECUTE format('ALTER TABLE "EquityPoint" ATTACH PARTITION partitions."EquityPoint_before" FOR VALUES FROM (MINVALUE) TO (%L)',
      date_trunc('year', greatest(latest, now()), 'UTC') + interval '1 year');
  END IF;
END $$;
DROP FUNCTION partitions.succeed(regclass, regclass);
-- How many rows of each table lie in no partition of their time.
CREATE FUNCTION rows_in_no_partition() RETURNS TABLE ("table" text, "rows" bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT 'DecisionRecord', count(*) FROM partitions."DecisionRecord_rest" UNION ALL SELECT 'EquityPoint', count(*) FROM partitions."EquityPoint_rest"
$$;
REVOKE EXECUTE ON FUNCTION rows_in_no_partition() FROM PUBLIC;

SELECT make_partitions();
