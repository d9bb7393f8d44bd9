import 'reflect-metadata';
import { Controller, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern } from '@nestjs/microservices';
import { silentLogger } from '@counterpart/platform-telemetry';
import { KafkaBatchStrategy } from './batch-strategy.js';
import { TopicBatch } from './keep-errors.filter.js';
import type { InboundMessage } from './messages.js';
import type { BatchHandler } from './stream-consumer.js';

const message: InboundMessage = {
  topic: 'spec.topic',
  partition: 0,
  offset: '1',
  key: 'k',
  value: Buffer.from('v'),
  headers: {},
  timestampMs: 0,
};

class DatabaseAway extends Error {}

@Controller()
class Batches {
  static received: (readonly InboundMessage[])[] = [];

  @TopicBatch('spec.topic')
  take(batch: readonly InboundMessage[]): Promise<void> {
    Batches.received.push(batch);
    return Promise.resolve();
  }

  @TopicBatch('spec.broken')
  fail(): Promise<void> {
    return Promise.reject(new DatabaseAway('connection refused'));
  }
}

@Controller()
class Singles {
  @EventPattern('spec.single')
  take(): void {
    return undefined;
  }
}

/** The strategy in a real Nest application, over a consumer that the spec drives. */
async function start(controller: Type) {
  const told = { topics: [] as readonly string[], closed: 0 };
  let deliver: BatchHandler = () => Promise.reject(new Error('not running'));
  const strategy = new KafkaBatchStrategy({
    brokers: [],
    clientId: 'spec',
    groupId: 'spec',
    logger: silentLogger,
    createConsumer: ({ topics }) => ({
      run: (handler) => {
        told.topics = topics;
        deliver = handler;
        return Promise.resolve();
      },
      status: () => ({
        connected: true,
        joined: true,
        assigned: {},
        lastPollMs: null,
        failingSinceMs: null,
        crashed: false,
      }),
      close: () => Promise.resolve(void (told.closed += 1)),
    }),
  });
  @Module({ controllers: [controller] })
  class SpecModule {}
  const app = await NestFactory.createMicroservice(SpecModule, { strategy, logger: false });
  await app.listen();
  return { app, strategy, told, deliver: (batch: readonly InboundMessage[]) => deliver(batch) };
}

test('a handler receives the whole batch; the topics are those of the handlers', async () => {
  Batches.received = [];
  const { app, strategy, told, deliver } = await start(Batches);
  expect([...told.topics].sort()).toEqual(['spec.broken', 'spec.topic']);
  const batch = [message, { ...message, offset: '2' }];
  await deliver(batch);
  expect(Batches.received).toEqual([batch]);
  expect(strategy.consumerStatus()).toMatchObject({ joined: true });
  await app.close();
  expect(told.closed).toBe(1);
});

test('an error of a handler arrives as what it was', async () => {
  const { app, deliver } = await start(Batches);
  const failing = deliver([{ ...message, topic: 'spec.broken' }]);
  await expect(failing).rejects.toBeInstanceOf(DatabaseAway);
  await expect(deliver([{ ...message, topic: 'spec.other' }])).rejects.toThrow('no handler');
  await app.close();
});

test('a handler for single messages stops the start with a sentence', async () => {
  await expect(start(Singles)).rejects.toThrow("use @TopicBatch('spec.single')");
});
