-- The flag's description said of all six rules what holds for the critical ones. Descriptions that a person wrote stay.
UPDATE "FeatureFlag"
SET "description" = 'While a critical QA rule fails or cannot be judged, the accounts concerned buy nothing.'
WHERE "name" = 'qa_live_gate' AND "description" = 'The six QA rules stop live cycles that fail them.';
