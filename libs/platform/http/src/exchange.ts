import type { HttpOutcome } from '@counterpart/crm-port';
import type { Dispatcher } from 'undici';
import { unknownCode, unsentCode } from './failure-code.js';

/**
 * One request on its way, and the only judge of whether it can have reached the peer:
 *
 *   queued  ── onRequestStart ──▶ sent ── answer ends ──▶ answer
 *     │                            │
 *     └── error, deadline: unsent  └── error, deadline, answer too large: unknown
 *
 * undici calls `onRequestStart` right before it writes the first byte to a connected socket, and
 * writes nothing when the call is aborted there. So before it the request is certainly unsent. A
 * reset right after it, as of a kept-alive socket that the peer had just closed, cannot be told
 * from a reset after the request was run, and stays unknown.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private settled = false;
  private status = 0;
  private headers: Readonly<Record<string, string>> = {};
  private readonly chunks: Buffer[] = [];
  private bytes = 0;

  constructor(
    private readonly answerBytesMax: number,
    private readonly settleWith: (outcome: HttpOutcome) => void,
  ) {}

  /** The time is up. Closing the socket frees it and proves nothing about the request. */
  expire(): void {
    this.fail('deadline');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Too late, or a second write of the same request: nothing may leave.
    if (this.settled || this.controller !== undefined) {
      controller.abort(new Error('not sent'));
      return;
    }
    this.controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.headers = plainHeaders(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.answerBytesMax) this.fail('answer-too-large');
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.settle({
      kind: 'answer',
      status: this.status,
      headers: this.headers,
      body: Buffer.concat(this.chunks).toString('utf8'),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const sent = this.controller !== undefined;
    this.settle(
      sent
        ? { kind: 'unknown', code: unknownCode(error) }
        : { kind: 'unsent', code: unsentCode(error) },
    );
  }

  private fail(code: string): void {
    const { controller } = this;
    this.settle({ kind: controller === undefined ? 'unsent' : 'unknown', code });
    controller?.abort(new Error(code));
  }

  private settle(outcome: HttpOutcome): void {
    if (this.settled) return;
    this.settled = true;
    this.settleWith(outcome);
  }
}

const plainHeaders = (
  headers: Record<string, string | string[] | undefined>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
