import { Controller, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inboundFor } from '@counterpart/crm-registry';
import { spanAttributes, withSpan } from '@counterpart/platform-telemetry';
import { acceptAppDelivery, type Accepted } from '../../application/accept-app-delivery.js';
import { acceptCrmDelivery } from '../../application/accept-crm-delivery.js';
import type { IngestPorts } from '../../application/ports.js';
import { answer } from './answer.js';
import { bodyOf, headersOf } from './raw-body.js';
import { INGEST_PORTS, PUBLIC_URL } from './tokens.js';

/** The two doors: the app's own changes, and the webhooks of CRMs. */
@Controller('v1')
export class DeliveriesController {
  constructor(
    @Inject(INGEST_PORTS) private readonly ports: IngestPorts,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  @Post('tenants/:tenantId/sources/:sourceId/changes')
  async changes(
    @Param('tenantId') tenantId: string,
    @Param('sourceId') sourceId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const delivery = {
      tenantId,
      sourceId,
      headers: headersOf(request.headers),
      body: bodyOf(request),
    };
    return answer(
      reply,
      await traced('/v1/tenants/:tenantId/sources/:sourceId/changes', request, () =>
        acceptAppDelivery(delivery, this.ports),
      ),
    );
  }

  @Post('webhooks/:endpoint')
  async webhook(
    @Param('endpoint') endpoint: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object> {
    const delivery = {
      endpoint,
      request: {
        method: request.method,
        url: this.publicUrl + request.url,
        headers: headersOf(request.headers),
        body: bodyOf(request),
        receivedAtMs: this.ports.clock.nowMs(),
      },
    };
    return answer(
      reply,
      await traced('/v1/webhooks/:endpoint', request, () =>
        acceptCrmDelivery(delivery, { ...this.ports, inboundFor }),
      ),
    );
  }
}

/** The trace of a change begins here, or goes on where the caller began it. */
const traced = (
  route: string,
  request: FastifyRequest,
  work: () => Promise<Accepted>,
): Promise<Accepted> => {
  const parent = request.headers['traceparent'];
  return withSpan(
    `POST ${route}`,
    {
      kind: 'server',
      parent: typeof parent === 'string' ? parent : undefined,
      attributes: { [spanAttributes.httpMethod]: 'POST', [spanAttributes.httpRoute]: route },
    },
    work,
  );
};
