import {
  BadRequestException,
  Controller,
  Get,
  Inject,
  NotFoundException,
  Param,
  Query,
} from '@nestjs/common';
import type { CaseView, OperatorReads } from '../outbound/operator-reads.js';
import { OPERATOR_READS } from './tokens.js';

const states: ReadonlySet<string> = new Set(['open', 'assigned', 'settled']);

const refusal = (code: string, message: string) => ({ error: { code, message, details: [] } });

/** Read-only windows for operators. Answers carry ids and states, never field values. */
@Controller('operator')
export class OperatorController {
  constructor(@Inject(OPERATOR_READS) private readonly reads: OperatorReads) {}

  @Get('plans/:tenantId')
  async plan(@Param('tenantId') tenantId: string): Promise<{ tenantId: string; version: number }> {
    const version = await this.reads.planVersion(tenantId);
    if (version === null) {
      throw new NotFoundException(refusal('unknown-tenant', 'this tenant has no sync plan here'));
    }
    return { tenantId, version };
  }

  @Get('backlog')
  async backlog(@Query('tenant') tenant?: string): Promise<{ pending: number }> {
    return { pending: await this.reads.backlog(required(tenant)) };
  }

  @Get('cases')
  async cases(
    @Query('tenant') tenant?: string,
    @Query('state') state?: string,
  ): Promise<{ cases: readonly CaseView[] }> {
    if (state !== undefined && !states.has(state)) {
      throw new BadRequestException(
        refusal('unknown-state', `state is one of ${[...states].join(', ')}`),
      );
    }
    return { cases: await this.reads.cases(required(tenant), state ?? null) };
  }
}

/** A query parameter given twice arrives as a list, which is no tenant either. */
function required(tenant: unknown): string {
  if (typeof tenant === 'string' && tenant !== '') return tenant;
  throw new BadRequestException(refusal('tenant-missing', 'name one tenant: ?tenant=…'));
}
