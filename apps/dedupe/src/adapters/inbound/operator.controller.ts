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

  @Get('events/:tenantId')
  events(
    @Param('tenantId') tenantId: string,
    @Query('outcome') outcome?: string,
    @Query('limit') limit?: string,
  ) {
    return this.reads.events(tenantId, { outcome: outcome ?? null, limit: rowsOf(limit) });
  }
}

const rowsDefault = 1_000;
const rowsMax = 10_000;

const rowsOf = (text: string | undefined): number => {
  const wanted = Number(text ?? rowsDefault);
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, rowsMax) : rowsDefault;
};
