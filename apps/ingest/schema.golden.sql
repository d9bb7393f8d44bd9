create table ingest.endpoint_claims (
  tenant_id text not null,
  source_id text not null,
  endpoint text not null,
  instance_id text not null,
  since_version bigint not null,
  constraint endpoint_claims_pkey PRIMARY KEY (tenant_id, source_id, endpoint, instance_id)
);

create table ingest.quarantined_deliveries (
  id bigint not null,
  endpoint text not null,
  body bytea not null,
  received_at timestamp with time zone not null default now(),
  items jsonb not null,
  constraint quarantined_deliveries_pkey PRIMARY KEY (id)
);

create table ingest.refusals (
  tenant_id text not null,
  source_id text not null,
  code text not null,
  day date not null,
  count bigint not null,
  last_at timestamp with time zone not null,
  constraint refusals_pkey PRIMARY KEY (tenant_id, source_id, code, day)
);

create table ingest.sync_plans (
  tenant_id text not null,
  version bigint not null,
  plan jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint sync_plans_pkey PRIMARY KEY (tenant_id)
);

CREATE INDEX quarantined_by_endpoint ON ingest.quarantined_deliveries USING btree (endpoint, id DESC);
CREATE INDEX quarantined_by_time ON ingest.quarantined_deliveries USING btree (received_at);
grant delete, insert, select, update on ingest.endpoint_claims to ingest;
grant delete, insert, select, update on ingest.quarantined_deliveries to ingest;
grant delete, insert, select, update on ingest.refusals to ingest;
grant delete, insert, select, update on ingest.sync_plans to ingest;
