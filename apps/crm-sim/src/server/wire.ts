import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../answers/answer.js';

/** The connection of one call: the ways in which an answer can travel, or not. */
export interface Wire {
  /** JSON, or the text as it is when the body is one. Does nothing when the client has left. */
  send(answer: Answer): void;
  /** Breaks the connection with a reset. */
  reset(): void;
  /** Sends the head and half of the body, then breaks the connection. */
  cut(answer: Answer): void;
  /** Runs once when the client leaves without an answer. */
  onGone(run: () => void): void;
}

/** The wire of a node request. */
export function httpWire(request: IncomingMessage, response: ServerResponse): Wire {
  const reset = (): void => {
    request.socket.resetAndDestroy();
  };
  return {
    reset,
    send: (answer) => {
      if (response.destroyed || response.writableEnded) return;
      const body = bodyText(answer);
      response.writeHead(answer.status, headersOf(answer, body));
      response.end(body);
    },
    cut: (answer) => {
      if (response.destroyed || response.writableEnded) return;
      const body = bodyText(answer) ?? '';
      response.writeHead(answer.status, headersOf(answer, body));
      response.write(body.slice(0, Math.floor(body.length / 2)), () => reset());
    },
    onGone: (run) => {
      response.once('close', () => {
        if (!response.writableEnded) run();
      });
    },
  };
}

function bodyText(answer: Answer): string | undefined {
  if (answer.body === undefined) return undefined;
  return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
}

function headersOf(answer: Answer, body: string | undefined): Record<string, string> {
  return {
    ...(body !== undefined && {
      'Content-Type': 'application/json;charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
    ...answer.headers,
  };
}
