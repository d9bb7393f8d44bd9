create table reconcile.case_changes (
  tenant_id text not null,
  case_id uuid not null,
  change_no integer not null,
  move text not null,
  state text not null,
  actor text not null,
  case_class text not null,
  code text not null,
  evidence_ref text not null,
  message_id text not null,
  changed_at timestamp with time zone not null,
  constraint case_changes_pkey PRIMARY KEY (tenant_id, case_id, change_no),
  constraint case_changes_move_check CHECK ((move = ANY (ARRAY['open'::text, 'refresh'::text, 'assign'::text, 'release'::text, 'settle'::text, 'reopen'::text]))),
  constraint case_changes_state_check CHECK ((state = ANY (ARRAY['open'::text, 'assigned'::text, 'settled'::text])))
);

create table reconcile.cases (
  tenant_id text not null,
  case_id uuid not null,
  subject text not null,
  case_class text not null,
  state text not null,
  assignee text,
  code text not null,
  detail text not null,
  service text not null,
  evidence_ref text not null,
  source_id text,
  record_type text,
  entity_id uuid,
  operation_id uuid,
  operation_version integer not null,
  message_id text not null,
  changes integer not null,
  opened_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  constraint cases_pkey PRIMARY KEY (tenant_id, case_id),
  constraint cases_case_class_check CHECK ((case_class = ANY (ARRAY['delivery-failure'::text, 'processing-failure'::text, 'unknown-outcome'::text, 'conflict'::text, 'ambiguity'::text, 'credentials'::text, 'quota'::text, 'policy-stop'::text]))),
  constraint cases_check CHECK (((state = 'settled'::text) = (settled_at IS NOT NULL))),
  constraint cases_check1 CHECK (((state <> 'assigned'::text) OR (assignee IS NOT NULL))),
  constraint cases_state_check CHECK ((state = ANY (ARRAY['open'::text, 'assigned'::text, 'settled'::text])))
);

create table reconcile.outbox (
  id bigint not null default nextval('reconcile.outbox_id_seq'::regclass),
  bucket smallint not null,
  topic text not null,
  key text not null,
  value bytea,
  headers jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  constraint outbox_pkey PRIMARY KEY (id)
);

create table reconcile.outbox_owner (
  bucket smallint not null,
  owner text,
  lease_until timestamp with time zone,
  epoch bigint not null default 0,
  constraint outbox_owner_pkey PRIMARY KEY (bucket)
);

create table reconcile.readbacks (
  tenant_id text not null,
  operation_id uuid not null,
  operation_version integer not null,
  state text not null,
  source_id text not null,
  provider text not null,
  record_type text not null,
  entity_id uuid not null,
  action text not null,
  external_id text,
  marker text not null,
  fields jsonb not null,
  settle_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  attempts integer not null default 0,
  last_code text not null default ''::text,
  lease_token uuid,
  lease_until timestamp with time zone,
  traceparent text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint readbacks_pkey PRIMARY KEY (tenant_id, operation_id),
  constraint readbacks_action_check CHECK ((action = ANY (ARRAY['create'::text, 'update'::text]))),
  constraint readbacks_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'answered'::text, 'given-up'::text, 'overtaken'::text])))
);

create table reconcile.sync_plans (
  tenant_id text not null,
  version bigint not null,
  plan jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint sync_plans_pkey PRIMARY KEY (tenant_id)
);

CREATE INDEX cases_by_state ON reconcile.cases USING btree (tenant_id, state, updated_at);
CREATE INDEX outbox_bucket ON reconcile.outbox USING btree (bucket, id);
CREATE INDEX readbacks_due ON reconcile.readbacks USING btree (due_at) WHERE (state = 'waiting'::text);
grant insert, select on reconcile.case_changes to reconciler;
grant delete, insert, select, update on reconcile.cases to reconciler;
grant delete, insert, select, update on reconcile.outbox to reconciler;
grant delete, insert, select, update on reconcile.outbox_owner to reconciler;
grant delete, insert, select, update on reconcile.readbacks to reconciler;
grant delete, insert, select, update on reconcile.sync_plans to reconciler;
