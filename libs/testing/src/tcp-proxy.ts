import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * Stands between a client and a real server and fails on request, as networks do: cuts what is
 * open, refuses what is new, loses answers, or keeps everybody waiting.
 */
export interface TcpProxy {
  readonly port: number;
  /** The address of `url` with the proxy in place of host and port. */
  urlFor(url: string): string;
  /** Closes every open connection. */
  cut(): void;
  /** Requests still arrive; the next answer closes the connection instead of being passed on. */
  loseAnswers(): void;
  /** Connections are accepted, nothing is passed on in either direction. */
  hold(): void;
  /** From now on new connections are closed at once, and open ones are cut. */
  refuse(): void;
  /** Ends `loseAnswers`, `hold` and `refuse`; what was held is lost. */
  restore(): void;
  close(): Promise<void>;
}

type Mode = 'pass' | 'lose-answers' | 'hold' | 'refuse';

/** Opens a proxy on a free local port before `host:port`. */
export async function tcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let mode: Mode = 'pass';
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  const set = (next: Mode) => (): void => {
    mode = next;
    if (next === 'refuse' || next === 'pass') cut();
  };
  const server = createServer((client) => {
    if (mode === 'refuse') client.destroy();
    else join(client, connect(port, host), sockets, () => mode);
  });
  const ownPort = await listen(server);
  return {
    port: ownPort,
    urlFor: (url) => withPort(url, ownPort),
    cut,
    loseAnswers: set('lose-answers'),
    hold: set('hold'),
    refuse: set('refuse'),
    restore: set('pass'),
    close: async () => {
      cut();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

function join(client: Socket, upstream: Socket, sockets: Set<Socket>, mode: () => Mode): void {
  for (const [socket, peer] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      peer.destroy();
    });
  }
  client.on('data', (bytes) => {
    if (mode() !== 'hold') upstream.write(bytes);
  });
  upstream.on('data', (bytes) => {
    if (mode() === 'lose-answers') client.destroy();
    else if (mode() !== 'hold') client.write(bytes);
  });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function withPort(text: string, port: number): string {
  const url = new URL(text);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return url.toString();
}
