import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTopicNames, topicNames, topics } from '@counterpart/contracts';
import { flow as dedupe } from '../apps/dedupe/src/flow.js';
import { flow as ingest } from '../apps/ingest/src/flow.js';
import { flow as reconciler } from '../apps/reconciler/src/flow.js';
import { flow as syncWriter } from '../apps/sync-writer/src/flow.js';

/** What each service says of itself in `flow.ts`, held against its code and the topic catalogue. */
const flows = [ingest, dedupe, syncWriter, reconciler];

const consumed = (service: string): string[] => {
  const folder = join(__dirname, '..', 'apps', service, 'src', 'adapters', 'inbound');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.consumer.ts'))
    .flatMap((file) => [
      ...readFileSync(join(folder, file), 'utf8').matchAll(/@TopicBatch\(([^)]+)\)/g),
    ])
    .map(([, argument = '']) => {
      const name = /topicNames\.(\w+)/.exec(argument)?.[1];
      return name === undefined
        ? argument.replaceAll("'", '')
        : topicNames[name as keyof typeof topicNames];
    })
    .sort();
};

test.each(flows.map((flow) => [flow.service, flow] as const))(
  '%s consumes what it says',
  (service, flow) => {
    expect(consumed(service)).toEqual([...flow.consumes].sort());
  },
);

test.each(flows.map((flow) => [flow.service, flow] as const))(
  '%s produces what the catalogue allows it',
  (service, flow) => {
    const allowed = allTopicNames.filter((topic) => topics[topic].writtenBy.includes(service));
    expect([...flow.produces].sort()).toEqual([...allowed].sort());
  },
);

test('every topic has a reader or is for others', () => {
  const read = new Set<string>(flows.flatMap(({ consumes }) => [...consumes]));
  const unread = allTopicNames.filter(
    (topic) => !read.has(topic) && topics[topic].audience === 'internal',
  );
  expect(unread).toEqual([]);
});
