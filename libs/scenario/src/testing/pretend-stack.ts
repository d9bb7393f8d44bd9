import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RegistryEntry } from '@counterpart/sync-model';
import type { Bus, StackControl, StackEnv } from '../application/ports.js';

/**
 * For specs of the engine: one server that plays simulator, ingest and operator pages. A change
 * that ingest takes becomes a contact `workMs` later; `copies` of it, when it shall misbehave.
 */
export class PretendStack {
  readonly orders: string[] = [];
  readonly secretsDir = mkdtempSync(join(tmpdir(), 'secrets-'));
  private readonly records: object[] = [];
  private readonly decided: object[] = [];
  private pending = 0;
  private version = 0;
  private readonly server: Server;

  constructor(
    private readonly options: { readonly workMs?: number; readonly copies?: number } = {},
  ) {
    this.server = createServer((request, answer) => {
      void textOf(request).then((text) => {
        const { status, body } = this.answer(`${request.method} ${request.url}`, text);
        answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
  }

  async start(): Promise<StackEnv> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const address: AddressInfo | string | null = this.server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const names = ['crm-sim', 'ingest', 'dedupe', 'sync-writer', 'reconciler'];
    return {
      name: 'pretend',
      kafkaBrokers: [],
      schemaRegistryUrl: '',
      redisUrl: '',
      services: Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${port}`])),
      secretsDir: this.secretsDir,
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  readonly bus: Bus = {
    publishPlan: (entry: RegistryEntry) => {
      this.version = entry.version;
      return Promise.resolve();
    },
    messagesOf: () => [],
    operationsOf: () => [],
    mappingsOf: () => [],
    position: () => 0,
    fence: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };

  readonly control: StackControl = {
    service: (order, name) => this.note(`${order} ${name}`),
    infra: (order, name) => this.note(`${order} ${name}`),
    flushRedis: () => this.note('flush redis'),
    heal: () => this.note('heal'),
  };

  private note(order: string): Promise<void> {
    this.orders.push(order);
    return Promise.resolve();
  }

  private answer(call: string, text: string): { readonly status: number; readonly body: object } {
    const ok = (body: object): { status: number; body: object } => ({ status: 200, body });
    if (call === 'POST /_sim/portals') return ok({ portalId: '7' });
    if (call.includes('/records/contacts?archived=false')) return ok({ results: this.records });
    if (call.includes('/records/')) return ok({ results: [] });
    if (call.includes('/calls')) return ok({ calls: [] });
    if (call.includes('/operator/plans/')) return ok({ version: this.version });
    if (call.includes('/operator/backlog')) return ok({ pending: this.pending });
    if (call.includes('/operator/events/')) return ok({ events: this.decided });
    if (call.includes('/changes')) return { status: 202, body: this.take(text) };
    if (call.startsWith('DELETE')) this.orders.push(call);
    return ok({});
  }

  private take(text: string): object {
    this.pending += 1;
    setTimeout(() => {
      this.pending -= 1;
      for (let copy = 0; copy < (this.options.copies ?? 1); copy += 1) this.store();
    }, this.options.workMs ?? 150).unref();
    const eventKey = `key-${this.decided.length}`;
    this.decided.push({ eventKey, outcome: 'no-op' });
    const id = /"id":"([^"]*)"/.exec(text)?.[1] ?? '';
    return { receipts: [{ id, eventKey }] };
  }

  private store(): void {
    this.records.push({
      id: String(this.records.length + 1),
      properties: { email: 'ada@example.com' },
      createdAt: new Date().toISOString(),
    });
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString();
}
