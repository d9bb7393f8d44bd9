import { topicHealth } from './topic-health.js';

const healthy = {
  connected: true,
  joined: true,
  assigned: {},
  lastPollMs: 1,
  failingSinceMs: null,
  crashed: false,
};
const kafkaFault = async (status: object | null) => {
  const checks = topicHealth(
    { query: () => Promise.resolve([]) },
    { consumerStatus: () => status && { ...healthy, ...status } },
    () => 100_000,
  );
  return checks.find(({ name }) => name === 'kafka')?.check();
};

test.each([
  ['well', {}, null],
  ['not started', null, 'not-connected'],
  ['crashed, though the process lives', { crashed: true, connected: false }, 'crashed'],
  ['outside its group', { joined: false }, 'not-joined'],
  ['a batch that was refused a moment ago', { failingSinceMs: 90_000 }, null],
  ['a batch that cannot be kept', { failingSinceMs: 80_000 }, 'batch-not-kept'],
])('%s', async (_name, status, fault) => {
  expect(await kafkaFault(status)).toBe(fault);
});
