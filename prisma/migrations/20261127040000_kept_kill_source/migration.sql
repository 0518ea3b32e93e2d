-- Whose stop the closing of an account replaced: one after a drawdown is kept as well. Null in rows of before, which kept an administrator's alone.
ALTER TABLE "Account" ADD COLUMN "keptKillSource" "KillSource";
