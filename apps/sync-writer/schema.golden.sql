create table sync.claims (
  tenant_id text not null,
  source_id text not null,
  record_type text not null,
  entity_id uuid not null,
  claim_key uuid not null,
  token uuid not null,
  holder text not null,
  state text not null,
  operation_id uuid not null,
  lease_until timestamp with time zone not null,
  sent_at timestamp with time zone,
  settle_at timestamp with time zone,
  constraint claims_pkey PRIMARY KEY (tenant_id, source_id, record_type, entity_id),
  constraint claims_state_check CHECK ((state = ANY (ARRAY['claimed'::text, 'sending'::text])))
);

create table sync.edges (
  tenant_id text not null,
  source_id text not null,
  from_type text not null,
  from_id text not null,
  to_type text not null,
  to_id text not null,
  made_at timestamp with time zone not null default now(),
  constraint edges_pkey PRIMARY KEY (tenant_id, source_id, from_type, from_id, to_type, to_id)
);

create table sync.entities (
  tenant_id text not null,
  entity_id uuid not null,
  entity_type text not null,
  status text not null,
  merged_into uuid,
  version bigint not null default 1,
  fields jsonb not null default '{}'::jsonb,
  provenance jsonb not null default '{}'::jsonb,
  updated_at timestamp with time zone not null default now(),
  constraint entities_pkey PRIMARY KEY (tenant_id, entity_id),
  constraint entities_status_check CHECK ((status = ANY (ARRAY['live'::text, 'merged'::text, 'deleted'::text, 'erased'::text])))
);

create table sync.inbox (
  tenant_id text not null,
  event_key uuid not null,
  lane_id uuid not null,
  seq bigint not null,
  payload jsonb not null,
  traceparent text,
  received_at timestamp with time zone not null default now(),
  settled_at timestamp with time zone,
  constraint inbox_pkey PRIMARY KEY (tenant_id, event_key)
);

create table sync.lanes (
  tenant_id text not null,
  lane_id uuid not null,
  source_id text not null,
  state text not null,
  backfill boolean not null default false,
  due_at timestamp with time zone not null default now(),
  arrived_seq bigint not null default 0,
  settled_seq bigint not null default 0,
  attempts integer not null default 0,
  first_failed_at timestamp with time zone,
  waiting_on uuid,
  owner text,
  epoch bigint not null default 0,
  constraint lanes_pkey PRIMARY KEY (tenant_id, lane_id),
  constraint lanes_state_check CHECK ((state = ANY (ARRAY['idle'::text, 'open'::text])))
);

create table sync.mappings (
  tenant_id text not null,
  source_id text not null,
  record_type text not null,
  external_id text not null,
  entity_id uuid not null,
  status text not null,
  origin text not null,
  base jsonb not null default '{}'::jsonb,
  version_token text,
  exclusive boolean not null,
  updated_at timestamp with time zone not null default now(),
  constraint mappings_pkey PRIMARY KEY (tenant_id, source_id, record_type, external_id),
  constraint mappings_origin_check CHECK ((origin = ANY (ARRAY['created'::text, 'adopted'::text, 'observed'::text]))),
  constraint mappings_status_check CHECK ((status = ANY (ARRAY['linked'::text, 'alias'::text, 'tombstone'::text, 'converted'::text])))
);

create table sync.match_keys (
  tenant_id text not null,
  entity_type text not null,
  key_hash uuid not null,
  entity_id uuid not null,
  constraint match_keys_pkey PRIMARY KEY (tenant_id, entity_type, key_hash)
);

create table sync.operations (
  tenant_id text not null,
  operation_id uuid not null,
  action text not null,
  source_id text not null,
  record_type text not null,
  entity_id uuid not null,
  external_id text,
  event_key uuid not null,
  origin_source_id text not null,
  state text not null,
  outcome text,
  reason text not null default ''::text,
  fields jsonb not null,
  attempts integer not null default 0,
  version integer not null default 0,
  traceparent text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint operations_pkey PRIMARY KEY (tenant_id, operation_id),
  constraint operations_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text]))),
  constraint operations_state_check CHECK ((state = ANY (ARRAY['planned'::text, 'attempting'::text, 'confirmed'::text, 'refused'::text, 'deferred'::text, 'unknown'::text, 'held'::text, 'superseded'::text])))
);

create table sync.outbox (
  id bigint not null default nextval('sync.outbox_id_seq'::regclass),
  bucket smallint not null,
  topic text not null,
  key text not null,
  value bytea,
  headers jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  constraint outbox_pkey PRIMARY KEY (id)
);

create table sync.outbox_owner (
  bucket smallint not null,
  owner text,
  lease_until timestamp with time zone,
  epoch bigint not null default 0,
  constraint outbox_owner_pkey PRIMARY KEY (bucket)
);

create table sync.source_pauses (
  tenant_id text not null,
  source_id text not null,
  until_at timestamp with time zone not null,
  reason text not null,
  constraint source_pauses_pkey PRIMARY KEY (tenant_id, source_id)
);

create table sync.sync_plans (
  tenant_id text not null,
  version bigint not null,
  plan jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint sync_plans_pkey PRIMARY KEY (tenant_id)
);

CREATE INDEX claims_operation ON sync.claims USING btree (tenant_id, operation_id);
CREATE INDEX inbox_open ON sync.inbox USING btree (tenant_id, lane_id, seq) WHERE (settled_at IS NULL);
CREATE INDEX lanes_due ON sync.lanes USING btree (tenant_id, backfill, due_at) WHERE (state = 'open'::text);
CREATE INDEX lanes_waiting ON sync.lanes USING btree (tenant_id, waiting_on) WHERE (waiting_on IS NOT NULL);
CREATE INDEX mappings_entity ON sync.mappings USING btree (tenant_id, entity_id);
CREATE UNIQUE INDEX mappings_one_live ON sync.mappings USING btree (tenant_id, source_id, record_type, entity_id) WHERE ((status = 'linked'::text) AND exclusive);
CREATE INDEX match_keys_entity ON sync.match_keys USING btree (tenant_id, entity_id);
CREATE INDEX operations_entity ON sync.operations USING btree (tenant_id, entity_id);
CREATE INDEX operations_event ON sync.operations USING btree (tenant_id, event_key);
CREATE INDEX outbox_bucket ON sync.outbox USING btree (bucket, id);
grant delete, insert, select, update on sync.claims to sync_writer;
grant delete, insert, select, update on sync.edges to sync_writer;
grant delete, insert, select, update on sync.entities to sync_writer;
grant delete, insert, select, update on sync.inbox to sync_writer;
grant delete, insert, select, update on sync.lanes to sync_writer;
grant delete, insert, select, update on sync.mappings to sync_writer;
grant delete, insert, select, update on sync.match_keys to sync_writer;
grant delete, insert, select, update on sync.operations to sync_writer;
grant delete, insert, select, update on sync.outbox to sync_writer;
grant delete, insert, select, update on sync.outbox_owner to sync_writer;
grant delete, insert, select, update on sync.source_pauses to sync_writer;
grant delete, insert, select, update on sync.sync_plans to sync_writer;
