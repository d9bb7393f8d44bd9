/** One row as the driver gives it: `bigint` as number, `timestamptz` as Date, `bytea` as Buffer. */
export type Row = Record<string, unknown>;

/** Something that runs one SQL statement: the pool, or an open transaction. */
export interface Queryable {
  /**
   * Runs one statement with positional parameters (`$1`, …) and returns its rows. `R` is the
   * caller's description of a row; map it to a domain word right where it is read.
   * Throws DbError; branch on `.code`.
   */
  query<R extends object = Row>(sql: string, params?: readonly unknown[]): Promise<R[]>;
}

/** An open transaction. Passed by hand, so that what belongs together can be seen. */
export type Tx = Queryable;

export interface Db extends Queryable {
  /**
   * Runs `begin`, the function, `commit`. Any throw inside rolls back and is thrown on. When the
   * answer to `commit` is lost the DbError says `outcomeUnknown`: run again only what a ledger
   * makes harmless. No network call belongs inside.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Waits for running queries, then closes every connection. */
  close(): Promise<void>;
}
