import { join } from 'node:path';
import { capture, which } from './command.mjs';
import { requireJava } from './needs.mjs';

/** The java to run: of JAVA_HOME when set, else of PATH. Throws a Fault when missing or too old. */
export async function findJava(env = process.env) {
  const java = env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', 'java') : which('java', env);
  if (!java) requireJava(undefined);
  const { code, stderr } = await capture([java, '-version']);
  requireJava(code === undefined ? undefined : stderr);
  return java;
}
