-- The gate's memory: what was seen and what became of it, how far each record is known, and what
-- the CRM stored for our writes.

create schema if not exists dedupe;
grant usage on schema dedupe to dedupe;
alter default privileges in schema dedupe grant select, insert, update, delete on tables to dedupe;
alter default privileges in schema dedupe grant usage on sequences to dedupe;

create table dedupe.sync_plans (
  tenant_id  text primary key,
  version    bigint not null,
  plan       jsonb not null,
  updated_at timestamptz not null default now()
);

-- A state, not a presence: an event whose first handling died half-way must not look seen.
create table dedupe.event_ledger (
  tenant_id   text not null,
  source_id   text not null,
  event_key   uuid not null,
  fingerprint uuid not null,
  record_type text not null,
  external_id text not null,
  state       text not null check (state in ('forwarded', 'parked', 'settled')),
  outcome     text,
  reason      text not null,
  evidence    text not null default '',
  -- operation id -> what is known of it; an event may lead to several
  results     jsonb not null default '{}',
  decided_at  timestamptz not null default now(),
  primary key (tenant_id, source_id, event_key)
) with (fillfactor = 85);
create index event_ledger_newest on dedupe.event_ledger (tenant_id, decided_at desc);

-- The same key with another payload, or two contents under one revision: kept to be shown.
create table dedupe.event_conflicts (
  tenant_id   text not null,
  source_id   text not null,
  event_key   uuid not null,
  fingerprint uuid not null,
  reason      text not null,
  payload     jsonb not null,
  seen_at     timestamptz not null default now(),
  primary key (tenant_id, source_id, event_key, fingerprint)
);

create table dedupe.record_heads (
  tenant_id   text not null,
  source_id   text not null,
  record_type text not null,
  external_id text not null,
  head        jsonb not null,
  updated_at  timestamptz not null default now(),
  primary key (tenant_id, source_id, record_type, external_id)
) with (fillfactor = 85);

create table dedupe.write_memory (
  tenant_id     text not null,
  source_id     text not null,
  record_type   text not null,
  external_id   text not null,
  field         text not null,
  fingerprint   uuid not null,
  operation_id  uuid not null,
  written_at_ms bigint not null,
  primary key (tenant_id, source_id, record_type, external_id, field, fingerprint)
) with (fillfactor = 85);

-- Transit table of the relay: keyed by bucket and order, not by tenant, since rows live for ms.
create table dedupe.outbox (
  id         bigserial primary key,
  bucket     smallint not null,
  topic      text not null,
  key        text not null,
  value      bytea,
  headers    jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index outbox_bucket on dedupe.outbox (bucket, id);
create table dedupe.outbox_owner (
  bucket      smallint primary key,
  owner       text,
  lease_until timestamptz,
  epoch       bigint not null default 0
);
