-- Verdicts that the decisions of a cycle have in common are stored once. Decisions of before hold theirs in their plans.
CREATE TABLE "VerdictSheet" (
    "id" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "VerdictSheet_pkey" PRIMARY KEY ("id")
);

CREATE TRIGGER "VerdictSheet_immutable" BEFORE UPDATE ON "VerdictSheet" FOR EACH ROW EXECUTE FUNCTION refuse_change();

ALTER TABLE "DecisionRecord" ADD COLUMN "sheetId" TEXT, ADD COLUMN "verdicts" JSONB;

-- What is written by reference needs what it refers to.
ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_verdicts_have_sheet" CHECK (("sheetId" IS NULL) = ("verdicts" IS NULL)) NOT VALID;

CREATE INDEX "DecisionRecord_sheetId_idx" ON "DecisionRecord"("sheetId");

ALTER TABLE "DecisionRecord" ADD CONSTRAINT "DecisionRecord_sheetId_fkey" FOREIGN KEY ("sheetId") REFERENCES "VerdictSheet"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
