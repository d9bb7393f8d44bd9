import { Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import type { OperatorReads } from '../outbound/operator-reads.js';
import { openApi } from './open-api.js';
import { OPERATOR_READS } from './tokens.js';

/** Read-only windows for operators, and the description of our API. */
@Controller()
export class OperatorController {
  constructor(@Inject(OPERATOR_READS) private readonly reads: OperatorReads) {}

  @Get('openapi.json')
  description(): object {
    return openApi;
  }

  @Get('operator/plans/:tenantId')
  async plan(@Param('tenantId') tenantId: string) {
    const version = await this.reads.planVersion(tenantId);
    if (version === null) throw new NotFoundException();
    return { tenantId, version };
  }

  /** Nothing waits here: what was answered 2xx is in the topic. */
  @Get('operator/backlog')
  backlog() {
    return { pending: 0 };
  }

  @Get('operator/refusals')
  async refusals(@Query('tenant') tenantId: string) {
    return { refusals: await this.reads.refusals(tenantId) };
  }

  @Get('operator/quarantine')
  async quarantine(@Query('endpoint') endpoint: string) {
    return { items: await this.reads.quarantine(endpoint) };
  }
}
