import type { ApiHandler } from '../server/api-request.js';

/** `GET /account-info/v3/details`: which account the token reaches, and its time zone. */
export const describeAccount: ApiHandler = (portal) => ({
  status: 200,
  body: {
    portalId: portal.spec.portalId,
    accountType: 'DEVELOPER_TEST',
    timeZone: 'UTC',
    companyCurrency: 'USD',
    utcOffset: '+00:00',
    utcOffsetMilliseconds: 0,
    uiDomain: 'app.example.com',
    dataHostingLocation: 'na1',
  },
});
