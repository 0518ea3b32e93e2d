-- What a broker answered is called `brokerMessage` in the items of activity mails that still wait.
UPDATE "Outbox" SET "props" = jsonb_set("props", '{items}', (
  SELECT jsonb_agg(CASE WHEN item ? 'words' THEN item - 'words' || jsonb_build_object('brokerMessage', item -> 'words') ELSE item END ORDER BY n)
  FROM jsonb_array_elements("props" -> 'items') WITH ORDINALITY AS items(item, n)))
WHERE "template" = 'activity' AND "sentAt" IS NULL AND "failedAt" IS NULL AND jsonb_array_length("props" -> 'items') > 0;
