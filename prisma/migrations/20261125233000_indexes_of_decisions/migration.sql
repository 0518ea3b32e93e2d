-- What points to a decision and to a market snapshot is looked up for each one that is deleted.
CREATE INDEX "Intent_decisionId_idx" ON "Intent"("decisionId");
CREATE INDEX "DecisionRecord_snapshotId_idx" ON "DecisionRecord"("snapshotId");
CREATE INDEX "Cycle_snapshotId_idx" ON "Cycle"("snapshotId");
