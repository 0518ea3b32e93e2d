-- What is personal in an audit row, sealed under its subject's key. Rows of before keep their plain form.
ALTER TABLE "AuditEvent" ADD COLUMN "personal" TEXT;

-- CreateTable
CREATE TABLE "SubjectKey" (
    "userId" UUID NOT NULL,
    "sealedKey" TEXT,
    "erasedAt" TIMESTAMPTZ(3),

    CONSTRAINT "SubjectKey_pkey" PRIMARY KEY ("userId")
);

-- A person has a key until they are erased, and none afterwards.
ALTER TABLE "SubjectKey" ADD CONSTRAINT "SubjectKey_key_until_erased" CHECK (("sealedKey" IS NULL) = ("erasedAt" IS NOT NULL));

-- An erased person gets no key again, and their row stays to say so.
CREATE FUNCTION refuse_revival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the key of an erased person does not come back' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "SubjectKey_stays_erased" BEFORE UPDATE OR DELETE ON "SubjectKey" FOR EACH ROW WHEN (OLD."erasedAt" IS NOT NULL) EXECUTE FUNCTION refuse_revival();
