import { readBrokerVersions, requestVersions, unsupportedRequests } from './broker-versions.js';

function answerOf(entries: readonly (readonly [number, number, number])[]): Buffer {
  const answer = Buffer.alloc(14 + entries.length * 6);
  answer.writeInt32BE(answer.length - 4, 0);
  answer.writeInt32BE(entries.length, 10);
  entries.forEach((entry, at) =>
    entry.forEach((value, n) => answer.writeInt16BE(value, 14 + at * 6 + n * 2)),
  );
  return answer;
}

test('an answer is read by API', () => {
  const versions = readBrokerVersions(answerOf([[0, 3, 13], [1, 4, 18]])); // prettier-ignore
  expect([...versions]).toEqual([
    [0, [3, 13]],
    [1, [4, 18]],
  ]);
});

test('an answer that is cut is an error, not an empty list', () => {
  expect(() => readBrokerVersions(answerOf([[0, 3, 13]]).subarray(0, 16))).toThrow();
});

test('a broker that no longer takes what we send is named request by request', () => {
  expect(unsupportedRequests(new Map([[0, [3, 13]], [1, [4, 18]]]))).toEqual([]); // prettier-ignore
  expect(unsupportedRequests(new Map([[0, [9, 13]]]))).toEqual([
    'Produce from version 9 (this client speaks 7)',
  ]);
});

test('the table is what the installed kafkajs really speaks', () => {
  const { requests } = jest.requireActual<{
    requests: Record<string, { versions: string[] } | undefined>;
  }>('kafkajs/src/protocol/requests');
  const keys = jest.requireActual<Record<string, number>>('kafkajs/src/protocol/requests/apiKeys');
  const installed = new Map(
    Object.entries(keys).map(([name, key]) => [key, requests[name]?.versions.map(Number) ?? []]),
  );
  for (const [apiKey, [name, newest]] of requestVersions) {
    expect([name, Math.max(...(installed.get(apiKey) ?? []))]).toEqual([name, newest]);
  }
});
