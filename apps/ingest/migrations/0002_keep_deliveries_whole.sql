-- A delivery with many bad items is kept once, with the list of them, not once for each item.
alter table ingest.quarantined_deliveries add column items jsonb not null default '[]';
update ingest.quarantined_deliveries
   set items = jsonb_build_array(
         jsonb_build_object('index', item_index, 'code', code, 'detail', detail));
alter table ingest.quarantined_deliveries
  drop column code, drop column item_index, drop column detail,
  alter column items drop default;
create index quarantined_by_endpoint on ingest.quarantined_deliveries (endpoint, id desc);

-- The version of the tenant's plan that named an instance at an endpoint first. Where two sources
-- name the same one, the lower version receives.
create table ingest.endpoint_claims (
  tenant_id     text not null,
  source_id     text not null,
  endpoint      text not null,
  instance_id   text not null,
  since_version bigint not null,
  primary key (tenant_id, source_id, endpoint, instance_id)
);
