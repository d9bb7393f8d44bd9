import { z } from 'zod';
import { appChanges } from '../../domain/app-change.js';

const json = (schema: object) => ({ 'application/json': { schema } });

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'details'],
      properties: {
        code: { type: 'string', description: 'Stable; branch on this.' },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              path: { type: 'string' },
              code: { type: 'string' },
              message: { type: 'string' },
            },
          },
        },
      },
    },
  },
};

const refusal = (description: string) => ({ description, content: json(errorSchema) });

const accepted = {
  description: 'Every item is safely kept.',
  content: json({
    type: 'object',
    required: ['accepted', 'receipts'],
    properties: {
      accepted: { type: 'integer' },
      receipts: {
        type: 'array',
        items: {
          type: 'object',
          required: ['eventKey'],
          properties: {
            id: { type: 'string', description: 'The id of the change; absent for CRM webhooks.' },
            eventKey: { type: 'string', format: 'uuid' },
          },
        },
      },
    },
  }),
};

const responses = {
  202: accepted,
  400: refusal('The body is malformed; `details` lists every fault.'),
  401: refusal('Not signed by a secret of this address, or there is no such address.'),
  413: refusal('The body is larger than this address takes.'),
  503: {
    ...refusal('The request could not be kept; nothing of it was taken.'),
    headers: { 'Retry-After': { schema: { type: 'integer' } } },
  },
};

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const path = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });

/** The HTTP API of ingest. Built from the same schemas that check the requests. */
export const openApi = {
  openapi: '3.1.0',
  info: { title: 'Counterpart ingest', version: '1' },
  paths: {
    '/v1/tenants/{tenantId}/sources/{sourceId}/changes': {
      post: {
        operationId: 'pushChanges',
        summary: 'Push changes of the app’s own records.',
        parameters: [
          path('tenantId'),
          path('sourceId'),
          header('webhook-id', 'Id of this request; the same on every retry.'),
          header('webhook-timestamp', 'Unix seconds; at most five minutes from our clock.'),
          header(
            'webhook-signature',
            'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`.',
          ),
        ],
        requestBody: { required: true, content: json(z.toJSONSchema(appChanges, { io: 'input' })) },
        responses,
      },
    },
    '/v1/webhooks/{endpoint}': {
      post: {
        operationId: 'receiveWebhook',
        summary: 'Receive the webhooks of a CRM, signed as that CRM signs them.',
        parameters: [path('endpoint')],
        requestBody: { required: true, content: json({}) },
        responses,
      },
    },
  },
} as const;
