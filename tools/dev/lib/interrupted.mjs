/**
 * Runs `work`, and `cleanUp` after it however it ends: also when the person presses Ctrl-C or a
 * supervisor sends SIGTERM, since what was started is detached and would go on.
 */
export async function withCleanUp(work, cleanUp) {
  let interrupt = () => {};
  const interrupted = new Promise((_, reject) => {
    interrupt = (signalName) => reject(new Interrupted(signalName));
  });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const name of signals) process.on(name, interrupt);
  try {
    return await Promise.race([work(), interrupted]);
  } finally {
    await cleanUp();
    for (const name of signals) process.off(name, interrupt);
  }
}

class Interrupted extends Error {
  name = 'Interrupted';
}
