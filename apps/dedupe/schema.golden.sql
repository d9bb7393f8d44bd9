create table dedupe.event_conflicts (
  tenant_id text not null,
  source_id text not null,
  event_key uuid not null,
  fingerprint uuid not null,
  reason text not null,
  payload jsonb not null,
  seen_at timestamp with time zone not null default now(),
  constraint event_conflicts_pkey PRIMARY KEY (tenant_id, source_id, event_key, fingerprint)
);

create table dedupe.event_ledger (
  tenant_id text not null,
  source_id text not null,
  event_key uuid not null,
  fingerprint uuid not null,
  record_type text not null,
  external_id text not null,
  state text not null,
  outcome text,
  reason text not null,
  evidence text not null default ''::text,
  results jsonb not null default '{}'::jsonb,
  decided_at timestamp with time zone not null default now(),
  suppressed jsonb not null default '[]'::jsonb,
  constraint event_ledger_pkey PRIMARY KEY (tenant_id, source_id, event_key),
  constraint event_ledger_outcome_known CHECK ((outcome = ANY (ARRAY['applied'::text, 'reconciled'::text, 'no-op'::text, 'duplicate'::text, 'stale'::text, 'echo'::text, 'superseded'::text, 'conflict'::text, 'held'::text, 'quarantined'::text, 'unknown'::text, 'needs-review'::text]))),
  constraint event_ledger_outcome_told CHECK (((state = 'forwarded'::text) = (outcome IS NULL))),
  constraint event_ledger_state_check CHECK ((state = ANY (ARRAY['forwarded'::text, 'parked'::text, 'settled'::text])))
);

create table dedupe.outbox (
  id bigint not null default nextval('dedupe.outbox_id_seq'::regclass),
  bucket smallint not null,
  topic text not null,
  key text not null,
  value bytea,
  headers jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  constraint outbox_pkey PRIMARY KEY (id)
);

create table dedupe.outbox_owner (
  bucket smallint not null,
  owner text,
  lease_until timestamp with time zone,
  epoch bigint not null default 0,
  constraint outbox_owner_pkey PRIMARY KEY (bucket)
);

create table dedupe.record_heads (
  tenant_id text not null,
  source_id text not null,
  record_type text not null,
  external_id text not null,
  head jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint record_heads_pkey PRIMARY KEY (tenant_id, source_id, record_type, external_id)
);

create table dedupe.sync_plans (
  tenant_id text not null,
  version bigint not null,
  plan jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint sync_plans_pkey PRIMARY KEY (tenant_id)
);

create table dedupe.write_memory (
  tenant_id text not null,
  source_id text not null,
  record_type text not null,
  external_id text not null,
  field text not null,
  fingerprint uuid not null,
  operation_id uuid not null,
  written_at_ms bigint not null,
  constraint write_memory_pkey PRIMARY KEY (tenant_id, source_id, record_type, external_id, field, fingerprint)
);

CREATE INDEX event_ledger_newest ON dedupe.event_ledger USING btree (tenant_id, decided_at DESC);
CREATE INDEX outbox_bucket ON dedupe.outbox USING btree (bucket, id);
grant delete, insert, select, update on dedupe.event_conflicts to dedupe;
grant delete, insert, select, update on dedupe.event_ledger to dedupe;
grant delete, insert, select, update on dedupe.outbox to dedupe;
grant delete, insert, select, update on dedupe.outbox_owner to dedupe;
grant delete, insert, select, update on dedupe.record_heads to dedupe;
grant delete, insert, select, update on dedupe.sync_plans to dedupe;
grant delete, insert, select, update on dedupe.write_memory to dedupe;
