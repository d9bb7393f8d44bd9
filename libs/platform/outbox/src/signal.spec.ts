import { Signal } from './signal.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const isDone = async (wait: Promise<void>): Promise<boolean> => {
  let done = false;
  void wait.then(() => (done = true));
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  return done;
};

test('a wait ends when raised', async () => {
  const signal = new Signal();
  const wait = signal.wait(1_000);
  expect(await isDone(wait)).toBe(false);
  signal.raise();
  expect(await isDone(wait)).toBe(true);
});

test('a wait ends by itself', async () => {
  const wait = new Signal().wait(1_000);
  jest.advanceTimersByTime(999);
  expect(await isDone(wait)).toBe(false);
  jest.advanceTimersByTime(1);
  expect(await isDone(wait)).toBe(true);
});

test('what was raised while nobody waited ends one wait', async () => {
  const signal = new Signal();
  signal.raise();
  signal.raise();
  expect(await isDone(signal.wait(1_000))).toBe(true);
  expect(await isDone(signal.wait(1_000))).toBe(false);
});
