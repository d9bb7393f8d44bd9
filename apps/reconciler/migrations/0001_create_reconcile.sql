-- The reconciler's slice: plans (how to reach a CRM), readbacks (writes whose outcome is unknown,
-- and when to look for them), cases (what somebody has to decide) and the outbox.
-- Every key begins with the tenant, so that the tables can be distributed by it.

create schema if not exists reconcile;
grant usage on schema reconcile to reconciler;
alter default privileges in schema reconcile
  grant select, insert, update, delete on tables to reconciler;
alter default privileges in schema reconcile grant usage on sequences to reconciler;

create table reconcile.sync_plans (
  tenant_id  text primary key,
  version    bigint not null,
  plan       jsonb not null,
  updated_at timestamptz not null default now()
);

-- One row per operation whose outcome is unknown.
--   waiting  -> answered  a probe gave a verdict, which is in the outbox
--   waiting  -> given-up  no probe could be made within the budget; a case owns it
--   waiting, given-up -> overtaken  the operation was settled without us
--   any      -> waiting   the writer names the operation again, under a higher version
create table reconcile.readbacks (
  tenant_id         text not null,
  operation_id      uuid not null,
  operation_version integer not null,
  state             text not null check (state in ('waiting', 'answered', 'given-up', 'overtaken')),
  source_id         text not null,
  provider          text not null,
  record_type       text not null,
  entity_id         uuid not null,
  action            text not null check (action in ('create', 'update')),
  external_id       text,
  marker            text not null,
  -- What was sent, to be compared; emptied as soon as the answer is known.
  fields            jsonb not null,
  settle_at         timestamptz not null,
  due_at            timestamptz not null,
  attempts          integer not null default 0,
  last_code         text not null default '',
  lease_token       uuid,
  lease_until       timestamptz,
  traceparent       text,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  primary key (tenant_id, operation_id)
) with (fillfactor = 85);
create index readbacks_due on reconcile.readbacks (due_at) where state = 'waiting';

-- Unsettled work with an owner and evidence. `subject` is what the case is about; there is one case
-- per subject, which is opened again rather than made twice.
create table reconcile.cases (
  tenant_id         text not null,
  case_id           uuid not null,
  subject           text not null,
  case_class        text not null check (case_class in
    ('delivery-failure', 'processing-failure', 'unknown-outcome', 'conflict', 'ambiguity',
     'credentials', 'quota', 'policy-stop')),
  state             text not null check (state in ('open', 'assigned', 'settled')),
  assignee          text,
  code              text not null,
  detail            text not null,
  service           text not null,
  evidence_ref      text not null,
  source_id         text,
  record_type       text,
  entity_id         uuid,
  operation_id      uuid,
  operation_version integer not null,
  message_id        text not null,
  changes           integer not null,
  opened_at         timestamptz not null,
  updated_at        timestamptz not null,
  settled_at        timestamptz,
  primary key (tenant_id, case_id),
  check ((state = 'settled') = (settled_at is not null)),
  check (state <> 'assigned' or assignee is not null)
) with (fillfactor = 85);
create index cases_by_state on reconcile.cases (tenant_id, state, updated_at);

-- Every move of a case, never changed afterwards.
create table reconcile.case_changes (
  tenant_id    text not null,
  case_id      uuid not null,
  change_no    integer not null,
  move         text not null check (move in ('open', 'refresh', 'assign', 'release', 'settle', 'reopen')),
  state        text not null check (state in ('open', 'assigned', 'settled')),
  actor        text not null,
  case_class   text not null,
  code         text not null,
  evidence_ref text not null,
  message_id   text not null,
  changed_at   timestamptz not null,
  primary key (tenant_id, case_id, change_no)
);
revoke update, delete on reconcile.case_changes from reconciler;

-- Transit table of the relay: keyed by bucket and order, not by tenant, since rows live for ms.
create table reconcile.outbox (
  id         bigserial primary key,
  bucket     smallint not null,
  topic      text not null,
  key        text not null,
  value      bytea,
  headers    jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index outbox_bucket on reconcile.outbox (bucket, id);
create table reconcile.outbox_owner (
  bucket      smallint primary key,
  owner       text,
  lease_until timestamptz,
  epoch       bigint not null default 0
);
