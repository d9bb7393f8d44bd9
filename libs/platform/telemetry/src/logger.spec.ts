import { maskText } from './log-fields.js';
import { createLogger } from './logger.js';

function linesOf(write: (logger: ReturnType<typeof createLogger>) => void): unknown[] {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLogger('spec', { instanceId: 'spec-1', destination }));
  return lines.map((line): unknown => JSON.parse(line));
}

test('a line carries the service, listed fields and a sentence; the rest is dropped', () => {
  const secretly: Record<string, unknown> = { email: 'ada@example.com', token: 't', code: 'late' };
  const [line] = linesOf((logger) =>
    logger.warn({ ...secretly, tenantId: 'acme' }, 'It came late'),
  );
  expect(line).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    service: 'spec',
    instanceId: 'spec-1',
    code: 'late',
    tenantId: 'acme',
    msg: 'It came late',
  });
});

test('an object given as a listed field is dropped, a long text is cut', () => {
  const wrong: Record<string, unknown> = {
    detail: { email: 'ada@example.com' },
    reason: 'x'.repeat(900),
  };
  const [line] = linesOf((logger) => logger.info(wrong, 'cut'));
  expect(line).not.toHaveProperty('detail');
  expect(line).toHaveProperty('reason', 'x'.repeat(500));
});

test('an error keeps name, code and frames; what it quotes is masked', () => {
  const cause = new SyntaxError(`Unexpected token 'a', "ada@example.com" is not valid JSON`);
  const error = Object.assign(new Error('cannot read ada@example.com', { cause }), { code: 'E1' });
  const [line] = linesOf((logger) => logger.error({ error }, 'broken'));
  expect(JSON.stringify(line)).not.toContain('ada@');
  expect(line).toMatchObject({
    error: {
      name: 'Error',
      code: 'E1',
      message: 'cannot read …@…',
      cause: { message: 'Unexpected token "…", "…" is not valid JSON' },
    },
  });
});

test('masking hides a quote that was never closed', () => {
  expect(maskText('near "sel')).toBe('near "…"');
});
