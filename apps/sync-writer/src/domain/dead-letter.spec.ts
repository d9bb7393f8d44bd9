import { unreadableMessage, unstorableOperation } from './dead-letter.js';

const place = { topic: 't', partition: 1, offset: '7', key: 'acme\u001fapp\u001fcontact\u001fc-1' };
const fault = { code: 'avro-magic', detail: 'does not begin with a zero byte' };

test('points to the message and repeats nothing of it', () => {
  expect(unreadableMessage(place, fault, 5)).toMatchObject({
    tenantId: 'acme',
    code: 'avro-magic',
    evidenceRef: 'kafka:t/1/7',
    occurredAtMs: 5,
  });
});

test('a tenant that cannot be stored is nobody, so that the note itself can be', () => {
  const key = 'ac\0me\u001fapp\u001fcontact\u001fc-1';
  expect(unreadableMessage({ ...place, key }, fault, 5).tenantId).toBe('');
});

test.each([
  ['plain text', 'Zo\u00eb \u{1f600}', false],
  ['a NUL', 'a\0b', true],
  ['half of a pair', '\ud83d', true],
])('%s', (_name, text, isFault) => {
  expect(unstorableOperation(JSON.stringify({ text })) !== undefined).toBe(isFault);
});
