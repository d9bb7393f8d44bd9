import { hubspotInbound } from './inbound.js';

test.each([
  ['texts', { portalId: '62515', appId: '456' }, '62515', '456'],
  ['numbers, as a plan may write them', { portalId: 62515, appId: 456 }, '62515', '456'],
  ['none', {}, '', ''],
  ['something else', { portalId: true }, '', ''],
])('a place in settings: %s', (_name, settings, instanceId, ownMarker) => {
  expect(hubspotInbound.placeOf(settings)).toEqual({ instanceId, ownMarker });
});
