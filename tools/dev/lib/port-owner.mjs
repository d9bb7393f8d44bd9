import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { Fault } from './fault.mjs';
import { portVariable } from './ports.mjs';

/** Socket inodes that listen on `port`, from the text of /proc/net/tcp or tcp6. */
export function listeningInodes(table, port) {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local.endsWith(`:${wanted}`))
    .map((columns) => columns[9]);
}

/** The sentence for a port that something else holds. `owner` is `{pid, name}` or undefined when not to be seen. */
export function portTakenSentence(name, port, owner) {
  const who = owner ? `${owner.name} (process ${owner.pid})` : 'another program';
  return `Port ${port}, meant for ${name}, is taken by ${who}; stop it, or choose another port with ${portVariable(name)} or --port-offset.`;
}

/** Throws a Fault naming the first port of `ports` (name → port) that cannot be bound on this machine. */
export async function requirePortsFree(ports) {
  for (const [name, port] of Object.entries(ports)) {
    if (await canBind(port)) continue;
    throw new Fault(portTakenSentence(name, port, await ownerOf(port)));
  }
}

function canBind(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(true)),
    );
  });
}

async function ownerOf(port) {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  const links = new Set(
    tables.flatMap((table) => listeningInodes(table, port)).map((inode) => `socket:[${inode}]`),
  );
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    if (await holdsOneOf(pid, links)) {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'a process');
      return { pid: Number(pid), name: name.trim() };
    }
  }
  return undefined;
}

async function holdsOneOf(pid, links) {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  for (const fd of descriptors) {
    if (links.has(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))) return true;
  }
  return false;
}
