export type { Db, Queryable, Row, Tx } from './db.js';
export { DbError } from './db-error.js';
export { createPool, type PoolOptions } from './pool.js';
export { retryTransaction } from './retry-transaction.js';
export { migrate, MigrationFault, type MigrateOptions } from './migrate.js';
export { readAppSchema, type AppSchema } from './app-schema.js';
export { describeSchema } from './describe-schema.js';
