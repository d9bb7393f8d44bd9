-- Which fields were taken out of an event that went on, each with the evidence: operators ask
-- "where did my phone number go" here. Names and ids only, never a value.
alter table dedupe.event_ledger add column suppressed jsonb not null default '[]';

-- The list of outcomes is closed, and an event that was only handed on has none yet.
alter table dedupe.event_ledger
  add constraint event_ledger_outcome_known check (outcome in (
    'applied', 'reconciled', 'no-op', 'duplicate', 'stale', 'echo', 'superseded',
    'conflict', 'held', 'quarantined', 'unknown', 'needs-review')),
  add constraint event_ledger_outcome_told check ((state = 'forwarded') = (outcome is null));
