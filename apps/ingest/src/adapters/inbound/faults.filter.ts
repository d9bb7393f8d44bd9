import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Logger } from '@counterpart/platform-telemetry';
import { notKept } from '../../domain/refusal.js';
import { errorBody, retryAfterSeconds } from './answer.js';

/** Whatever is thrown below becomes a coded answer; what nobody expected is logged and says little. */
@Catch()
export class FaultsFilter implements ExceptionFilter {
  constructor(private readonly log: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw error;
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const status = statusOf(error);
    // What broke here may work again soon, and nothing is known to be kept: the sender repeats it.
    if (status >= 500) {
      this.log.error({ error }, 'a request ended in an unexpected error');
      void reply
        .status(notKept.status)
        .header('retry-after', retryAfterSeconds)
        .send(errorBody(notKept));
      return;
    }
    void reply.status(status).send(errorBody(bodyFor(status)));
  }
}

const statusOf = (error: unknown): number => {
  if (error instanceof HttpException) return error.getStatus();
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
  return typeof status === 'number' ? status : 500;
};

const texts: Readonly<Record<number, readonly [string, string]>> = {
  404: ['not-found', 'There is nothing at this address.'],
  405: ['method', 'This address takes another method.'],
  413: [
    'body-too-large',
    'The body is larger than this address takes: send fewer changes at once.',
  ],
  415: ['media-type', 'The body must be JSON.'],
};

const bodyFor = (status: number) => {
  const [code, message] = texts[status] ?? ['malformed', 'The request cannot be read.'];
  return { code, message, details: [] };
};
