-- The sync-writer's slice: inbox and lanes (how work waits), the identity graph (who is who),
-- claims and operations (what we are doing to a CRM), and the outbox (what others may know).
-- Every key begins with the tenant, so that the tables can be distributed by it.

create schema if not exists sync;
grant usage on schema sync to sync_writer;
alter default privileges in schema sync grant select, insert, update, delete on tables to sync_writer;
alter default privileges in schema sync grant usage on sequences to sync_writer;

create table sync.sync_plans (
  tenant_id  text primary key,
  version    bigint not null,
  plan       jsonb not null,
  updated_at timestamptz not null default now()
);

-- One row per sync operation received. Kept after it is settled: a redelivery must meet it.
create table sync.inbox (
  tenant_id   text not null,
  event_key   uuid not null,
  lane_id     uuid not null,
  seq         bigint generated always as identity,
  payload     jsonb not null,
  traceparent text,
  received_at timestamptz not null default now(),
  settled_at  timestamptz,
  primary key (tenant_id, event_key)
) with (fillfactor = 85);
create index inbox_open on sync.inbox (tenant_id, lane_id, seq) where settled_at is null;

-- The ordered queue of one record's work. `due_at` says when an open lane may be taken; while a
-- worker owns it, it is the end of that worker's lease, so an abandoned lane becomes due by itself.
create table sync.lanes (
  tenant_id       text not null,
  lane_id         uuid not null,
  source_id       text not null,
  state           text not null check (state in ('idle', 'open')),
  backfill        boolean not null default false,
  due_at          timestamptz not null default now(),
  arrived_seq     bigint not null default 0,
  settled_seq     bigint not null default 0,
  attempts        integer not null default 0,
  first_failed_at timestamptz,
  waiting_on      uuid,
  owner           text,
  epoch           bigint not null default 0,
  primary key (tenant_id, lane_id)
) with (fillfactor = 85);
create index lanes_due on sync.lanes (tenant_id, backfill, due_at) where state = 'open';
create index lanes_waiting on sync.lanes (tenant_id, waiting_on) where waiting_on is not null;

create table sync.entities (
  tenant_id   text not null,
  entity_id   uuid not null,
  entity_type text not null,
  status      text not null check (status in ('live', 'merged', 'deleted', 'erased')),
  merged_into uuid,
  version     bigint not null default 1,
  fields      jsonb not null default '{}',
  -- field -> [changed at, ms; source; "main" or "mention"]
  provenance  jsonb not null default '{}',
  updated_at  timestamptz not null default now(),
  primary key (tenant_id, entity_id)
) with (fillfactor = 85);

-- Inserting a match key is how two workers that meet the same new person agree on one entity.
create table sync.match_keys (
  tenant_id   text not null,
  entity_type text not null,
  key_hash    uuid not null,
  entity_id   uuid not null,
  primary key (tenant_id, entity_type, key_hash)
);
create index match_keys_entity on sync.match_keys (tenant_id, entity_id);

create table sync.mappings (
  tenant_id     text not null,
  source_id     text not null,
  record_type   text not null,
  external_id   text not null,
  entity_id     uuid not null,
  status        text not null check (status in ('linked', 'alias', 'tombstone', 'converted')),
  origin        text not null check (origin in ('created', 'adopted', 'observed')),
  -- field -> fingerprint of what we meant, or {m: it, s: of what the source stored, w: written by (ms),
  -- c: contested}
  base          jsonb not null default '{}',
  version_token text,
  -- true at a CRM: two live records of one entity there would be a duplicate. The app may well
  -- have two records of one person.
  exclusive     boolean not null,
  updated_at    timestamptz not null default now(),
  primary key (tenant_id, source_id, record_type, external_id)
) with (fillfactor = 85);
-- At most one live record of an entity per CRM.
create unique index mappings_one_live on sync.mappings (tenant_id, source_id, record_type, entity_id)
  where status = 'linked' and exclusive;
create index mappings_entity on sync.mappings (tenant_id, entity_id);

-- The short, owned, expiring right to write one entity at one source. No row: nobody writes.
create table sync.claims (
  tenant_id    text not null,
  source_id    text not null,
  record_type  text not null,
  entity_id    uuid not null,
  claim_key    uuid not null,
  token        uuid not null,
  holder       text not null,
  state        text not null check (state in ('claimed', 'sending')),
  operation_id uuid not null,
  lease_until  timestamptz not null,
  sent_at      timestamptz,
  settle_at    timestamptz,
  primary key (tenant_id, source_id, record_type, entity_id)
) with (fillfactor = 85);
create index claims_operation on sync.claims (tenant_id, operation_id);

create table sync.operations (
  tenant_id    text not null,
  operation_id uuid not null,
  action       text not null check (action in ('create', 'update')),
  source_id    text not null,
  record_type  text not null,
  entity_id    uuid not null,
  external_id  text,
  event_key    uuid not null,
  origin_source_id text not null,
  state        text not null check (state in
    ('planned', 'attempting', 'confirmed', 'refused', 'deferred', 'unknown', 'held', 'superseded')),
  outcome      text,
  reason       text not null default '',
  fields       jsonb not null,
  attempts     integer not null default 0,
  version      integer not null default 0,
  traceparent  text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  primary key (tenant_id, operation_id)
) with (fillfactor = 85);
create index operations_event on sync.operations (tenant_id, event_key);
create index operations_entity on sync.operations (tenant_id, entity_id);

-- Associations made, so that each is made once.
create table sync.edges (
  tenant_id text not null,
  source_id text not null,
  from_type text not null,
  from_id   text not null,
  to_type   text not null,
  to_id     text not null,
  made_at   timestamptz not null default now(),
  primary key (tenant_id, source_id, from_type, from_id, to_type, to_id)
);

-- Nothing is sent to a paused source before `until_at`.
create table sync.source_pauses (
  tenant_id text not null,
  source_id text not null,
  until_at  timestamptz not null,
  reason    text not null,
  primary key (tenant_id, source_id)
);

-- Transit table of the relay: keyed by bucket and order, not by tenant, since rows live for ms.
create table sync.outbox (
  id         bigserial primary key,
  bucket     smallint not null,
  topic      text not null,
  key        text not null,
  value      bytea,
  headers    jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index outbox_bucket on sync.outbox (bucket, id);
create table sync.outbox_owner (
  bucket      smallint primary key,
  owner       text,
  lease_until timestamptz,
  epoch       bigint not null default 0
);
