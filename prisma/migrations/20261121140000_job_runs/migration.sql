-- The last run of each kind of work: work that kills its worker again and again is given up, not tried for ever.
CREATE TABLE "JobRun" (
    "key" TEXT NOT NULL,
    "job" TEXT NOT NULL,
    "unfinished" INTEGER NOT NULL DEFAULT 0,
    "startedAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),
    "lastError" TEXT,
    "deadAt" TIMESTAMPTZ(3),

    CONSTRAINT "JobRun_pkey" PRIMARY KEY ("key"),
    CONSTRAINT "JobRun_unfinished_check" CHECK ("unfinished" >= 0)
);
