import { Catch, UseFilters, applyDecorators, type RpcExceptionFilter } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { throwError, type Observable } from 'rxjs';

/**
 * Lets an error of a handler through as it is. Without it Nest puts `Internal server error` in its
 * place, and neither log nor caller learns what broke.
 */
@Catch()
export class KeepErrors implements RpcExceptionFilter<unknown> {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/** Marks the method that receives a topic's batches as `readonly InboundMessage[]`. */
export const TopicBatch = (topic: string): MethodDecorator =>
  applyDecorators(EventPattern(topic, { batch: true }), UseFilters(KeepErrors));
