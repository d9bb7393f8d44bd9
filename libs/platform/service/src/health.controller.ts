import { Controller, Get, HttpCode, Res } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { FastifyReply } from 'fastify';

/** One thing the service cannot work without. Must answer by itself within a second or two. */
export interface HealthCheck {
  readonly name: string;
  /** Null when well, else a short code: `postgres-down`, `not-joined`. A throw counts as unwell. */
  check(): Promise<string | null> | string | null;
}

/** Token of the app's `readonly HealthCheck[]`. An app that provides none is ready when it runs. */
export const HEALTH_CHECKS = Symbol('health-checks');

const CHECK_DEADLINE_MS = 2_000;

/**
 * Liveness asks only whether the process answers: a dependency that is down must not get every
 * pod restarted. Readiness asks the registered checks, and is refused while stopping.
 */
@Controller('health')
export class HealthController {
  private stopping = false;

  constructor(private readonly modules: ModuleRef) {}

  onModuleDestroy(): void {
    this.stopping = true;
  }

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @HttpCode(200)
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadyAnswer> {
    const faults = this.stopping ? { service: 'stopping' } : await this.faults();
    const ready = Object.keys(faults).length === 0;
    if (!ready) void reply.status(503);
    return { status: ready ? 'ok' : 'unavailable', faults };
  }

  private async faults(): Promise<Readonly<Record<string, string>>> {
    const results = await Promise.all(
      this.checks().map(async (check) => [check.name, await outcomeOf(check)] as const),
    );
    return Object.fromEntries(results.flatMap(([name, fault]) => (fault ? [[name, fault]] : [])));
  }

  private checks(): readonly HealthCheck[] {
    try {
      return this.modules.get<readonly HealthCheck[]>(HEALTH_CHECKS, { strict: false });
    } catch {
      return [];
    }
  }
}

interface ReadyAnswer {
  readonly status: 'ok' | 'unavailable';
  readonly faults: Readonly<Record<string, string>>;
}

async function outcomeOf(check: HealthCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no-answer'), CHECK_DEADLINE_MS);
  });
  try {
    return await Promise.race([check.check(), deadline]);
  } catch {
    return 'check-failed';
  } finally {
    clearTimeout(timer);
  }
}
