import { randomBytes } from 'node:crypto';

/** A tenant nobody else uses, so that tests share one stack: `t-3f9a1c2b`. */
export const uniqueTenant = (prefix = 't'): string => `${prefix}-${randomBytes(4).toString('hex')}`;
