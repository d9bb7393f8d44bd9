import type { FastifyReply } from 'fastify';
import type { Accepted } from '../../application/accept-app-delivery.js';
import type { Refusal } from '../../domain/refusal.js';

/** What a sender is asked to wait before it repeats. */
export const retryAfterSeconds = '2';

/** The body of every refusal. */
export const errorBody = ({ code, message, details }: Omit<Refusal, 'status'>) => ({
  error: { code, message, details },
});

/** Writes what became of a delivery; the receipts follow the order of the items. */
export const answer = (reply: FastifyReply, accepted: Accepted): object => {
  if (accepted.ok) {
    void reply.status(202);
    return {
      accepted: accepted.receipts.length,
      receipts: accepted.receipts,
    };
  }
  const { refusal } = accepted;
  void reply.status(refusal.status);
  if (refusal.status === 503) void reply.header('retry-after', retryAfterSeconds);
  return errorBody(refusal);
};
