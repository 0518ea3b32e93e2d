-- In a transaction of its own: it reads the table and blocks no writer.
ALTER TABLE "DecisionRecord" VALIDATE CONSTRAINT "DecisionRecord_verdicts_have_sheet";
ALTER TABLE "DecisionRecord" VALIDATE CONSTRAINT "DecisionRecord_sheetId_fkey";
