import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpService {
  readonly url: string;
  /** Paths with query, in the order of the requests. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** A server on a free port that answers every GET with what `answer` gives for its path. */
export async function httpService(
  answer: (path: string) => { readonly status?: number; readonly body: unknown },
): Promise<HttpService> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { status = 200, body } = answer(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
