import { connect, type Socket } from 'node:net';
import type { ClientOptions } from '../kafkajs-client.js';

export const produceKey = 0;

/** Sockets to the real broker that break on request. */
export interface FaultySockets {
  readonly socketFactory: NonNullable<ClientOptions['socketFactory']>;
  /** While true, an answer to a produce request resets the connection instead of arriving. */
  losesProduceAnswers: boolean;
  /** As above, for this many answers. */
  losesNext: number;
  /** Port of a proxy to go through; 0 goes straight to the broker. */
  viaPort: number;
  /** Produce requests written so far, and the most that were under way at once. */
  readonly produced: { count: number; atOnceMax: number };
  /** Closes every open socket without an error, as a local destroy does. */
  closeSilently(): void;
}

export function faultySockets(): FaultySockets {
  const open = new Set<Socket>();
  const faults: FaultySockets = {
    losesProduceAnswers: false,
    losesNext: 0,
    viaPort: 0,
    produced: { count: 0, atOnceMax: 0 },
    closeSilently: () => open.forEach((socket) => socket.destroy()),
    socketFactory: ({ host, port, onConnect }) => {
      const socket = connect({ host, port: faults.viaPort || port }, onConnect);
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      watch(socket, faults);
      return socket;
    },
  };
  return faults;
}

function watch(socket: Socket, faults: FaultySockets): void {
  let underWay = 0;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.write = (bytes: unknown, ...rest: unknown[]): boolean => {
    if (Buffer.isBuffer(bytes) && bytes.length > 6 && bytes.readInt16BE(4) === produceKey) {
      underWay += 1;
      faults.produced.count += 1;
      faults.produced.atOnceMax = Math.max(faults.produced.atOnceMax, underWay);
    }
    return write(bytes, ...rest);
  };
  const emit = socket.emit.bind(socket) as (...args: unknown[]) => boolean;
  socket.emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event !== 'data' || underWay === 0) return emit(event, ...args);
    underWay -= 1;
    if (!faults.losesProduceAnswers && faults.losesNext === 0) return emit(event, ...args);
    faults.losesNext = Math.max(0, faults.losesNext - 1);
    socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
    return true;
  };
}
