-- The verification side of sources, what was refused (counts only), and deliveries that were
-- authentic but belong to nobody we know: kept until somebody looks.

create schema if not exists ingest;
grant usage on schema ingest to ingest;
alter default privileges in schema ingest grant select, insert, update, delete on tables to ingest;
alter default privileges in schema ingest grant usage on sequences to ingest;

create table ingest.sync_plans (
  tenant_id  text primary key,
  version    bigint not null,
  plan       jsonb not null,
  updated_at timestamptz not null default now()
);

-- `tenant_id` is empty where the refused request named no source that exists.
create table ingest.refusals (
  tenant_id text not null,
  source_id text not null,
  code      text not null,
  day       date not null,
  count     bigint not null,
  last_at   timestamptz not null,
  primary key (tenant_id, source_id, code, day)
) with (fillfactor = 85);

-- Authentic deliveries with items that fit no source or cannot be read. Keyed by endpoint, not by
-- tenant: which tenant they belong to is exactly what is not known.
create table ingest.quarantined_deliveries (
  id          bigint generated always as identity primary key,
  endpoint    text not null,
  code        text not null,
  item_index  integer not null,
  detail      text not null,
  body        bytea not null,
  received_at timestamptz not null default now()
);
create index quarantined_by_time on ingest.quarantined_deliveries (received_at);
