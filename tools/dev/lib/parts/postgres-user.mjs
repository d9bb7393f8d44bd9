import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { capture } from '../command.mjs';

/**
 * PostgreSQL refuses to run as root, so root runs it as user `postgres`, or `nobody` where there is none.
 * Such a user cannot enter a checkout below a private home folder; only then it is given the one
 * right that lets it.
 */

/** Command prefix and owner for PostgreSQL's programs; empty and undefined when we are not root. */
export async function postgresUser(folders) {
  if (process.getuid?.() !== 0) return { prefix: [], owner: undefined };
  const owner = (await idsOf('postgres')) ?? (await idsOf('nobody'));
  if (!owner)
    throw new Error(
      'PostgreSQL cannot run as root and this machine has neither a user postgres nor nobody',
    );
  const prefix = ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
  const isOpen = (await Promise.all(folders.map(othersMayEnter))).every(Boolean);
  return { prefix: isOpen ? prefix : [...prefix, ...ENTER_ANY_FOLDER], owner };
}

/** The secure bit lets the right count in access(2) too, by which initdb looks for its fellow programs. */
const ENTER_ANY_FOLDER = [
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
  '--securebits=+no_setuid_fixup',
];

/** Gives a folder to PostgreSQL's user. */
export async function giveTo(owner, folder) {
  if (owner) await chown(folder, owner.uid, owner.gid);
}

async function idsOf(name) {
  const [uid, gid] = await Promise.all([capture(['id', '-u', name]), capture(['id', '-g', name])]);
  return uid.code === 0 ? { uid: Number(uid.stdout), gid: Number(gid.stdout) } : undefined;
}

async function othersMayEnter(folder) {
  for (let at = folder; ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
