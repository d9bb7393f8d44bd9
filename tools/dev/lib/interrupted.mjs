import { Fault } from './fault.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs `work(signal)`, and `cleanUp` after it however it ends: also when the person presses Ctrl-C or a
 * supervisor sends SIGTERM, since what was started is detached and would go on. `signal` aborts then.
 * A second interruption ends the command at once.
 */
export async function withCleanUp(work, cleanUp) {
  const controller = new AbortController();
  let interrupt = () => {};
  const interrupted = new Promise((_, reject) => {
    interrupt = (name) => {
      if (controller.signal.aborted) process.exit(130);
      controller.abort();
      reject(new Fault(`Stopped by ${name}; what this command started is being stopped too.`));
    };
  });
  for (const name of SIGNALS) process.on(name, interrupt);
  try {
    return await Promise.race([work(controller.signal), interrupted]);
  } finally {
    await cleanUp();
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
