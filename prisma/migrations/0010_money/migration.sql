-- Looking back at what was decided, and at what it cost.

-- Calls of a time, whoever's: rows are added in the order of time, so that a few blocks hold them.
CREATE INDEX "tool_calls_created_at_idx" ON "tool_calls" USING BRIN ("created_at");
