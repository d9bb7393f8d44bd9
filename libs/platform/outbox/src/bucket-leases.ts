import type { Queryable } from '@counterpart/platform-postgres';

/*
 * Who publishes a bucket. A row of outbox_owner is free, or leased by one owner until a time of
 * the database's clock. Only these moves exist:
 *   free or expired -> leased by me     epoch + 1
 *   leased by me    -> leased by me     renewed, same epoch
 *   leased by me    -> free             at a graceful stop
 * A holder that overslept its lease may still publish a batch it had read. That repeats messages
 * but never reorders first deliveries: every row it read is either deleted (so it was published)
 * or read again, in id order, by the next owner.
 */

export interface Lease {
  readonly bucket: number;
  /** Grows by one with every change of owner. */
  readonly epoch: number;
}

/** Makes the rows of the owner table; does nothing to those that exist. */
export async function ensureBuckets(db: Queryable, schema: string, count: number): Promise<void> {
  await db.query(
    `insert into ${schema}.outbox_owner (bucket)
     select generate_series(0, $1::int - 1)::smallint
     on conflict do nothing`,
    [count],
  );
}

/**
 * Renews what `owner` holds and takes what is free, up to `want` buckets in all. Rows another
 * relay is just taking are passed over. Returns everything now held.
 */
export async function leaseBuckets(
  db: Queryable,
  schema: string,
  owner: string,
  want: number,
  leaseMs: number,
): Promise<readonly Lease[]> {
  return db.query<{ bucket: number; epoch: number }>(
    `with mine as (
       select bucket from ${schema}.outbox_owner
       where owner is null or owner = $1 or lease_until < now()
       order by owner = $1 desc nulls last, bucket
       limit $2
       for update skip locked
     )
     update ${schema}.outbox_owner o
     set owner = $1,
         epoch = o.epoch + (o.owner is distinct from $1 or o.lease_until < now())::int,
         lease_until = now() + $3 * interval '1 millisecond'
     from mine
     where o.bucket = mine.bucket
     returning o.bucket, o.epoch`,
    [owner, want, leaseMs],
  );
}

/** Lets go of everything `owner` holds, so that another relay need not wait for the expiry. */
export async function releaseBuckets(db: Queryable, schema: string, owner: string): Promise<void> {
  await db.query(
    `update ${schema}.outbox_owner set owner = null, lease_until = null where owner = $1`,
    [owner],
  );
}
