import { Controller, Get, Inject, NotFoundException, Param, Query } from '@nestjs/common';
import type { OperatorReads } from '../outbound/operator-reads.js';
import { OPERATOR_READS } from './tokens.js';

/** Read-only windows for operators. Answers carry ids and states, never field values. */
@Controller('operator')
export class OperatorController {
  constructor(@Inject(OPERATOR_READS) private readonly reads: OperatorReads) {}

  @Get('plans/:tenantId')
  async plan(@Param('tenantId') tenantId: string) {
    const version = await this.reads.planVersion(tenantId);
    if (version === null) throw new NotFoundException();
    return { tenantId, version };
  }

  @Get('backlog')
  async backlog(@Query('tenant') tenantId: string) {
    return { pending: await this.reads.backlog(tenantId) };
  }

  @Get('operations')
  async operations(
    @Query('tenant') tenantId: string,
    @Query('entity') entityId?: string,
    @Query('state') state?: string,
  ) {
    const operations = await this.reads.operations({
      tenantId,
      entityId: entityId ?? null,
      state: state ?? null,
    });
    return { operations };
  }

  @Get('lanes')
  lanes(@Query('tenant') tenantId: string) {
    return this.reads.lanes(tenantId);
  }

  @Get('mappings')
  async mappings(@Query('tenant') tenantId: string, @Query('entity') entityId?: string) {
    return { mappings: await this.reads.mappings(tenantId, entityId ?? null) };
  }
}
