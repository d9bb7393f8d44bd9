import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Every body arrives as the bytes that were sent: signatures are over bytes, not over meaning. */
export const takeRawBodies = (app: NestFastifyApplication): void => {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  app.useBodyParser(
    '*',
    {},
    (_request: unknown, body: Buffer, done: (error: null, body: Buffer) => void) =>
      done(null, body),
  );
};

/** The bytes of a request's body; none for a request without one. */
export const bodyOf = (request: { readonly body?: unknown }): Uint8Array =>
  Buffer.isBuffer(request.body) ? request.body : new Uint8Array();

/** Header values as one text each; a header that came twice is none, since neither can be trusted. */
export const headersOf = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? undefined : value,
    ]),
  );
