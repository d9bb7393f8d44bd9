import { adapterFor, inboundFor, knownProviders } from './registry.js';

const connection = { provider: 'hubspot', baseUrl: 'https://a.example', settings: {}, records: [] };

describe('the registry', () => {
  it.each(knownProviders)('has both halves of %s', (provider) => {
    expect(inboundFor(provider)?.provider).toBe(provider);
    expect(adapterFor({ ...connection, provider } as never, {} as never)).toBeDefined();
  });

  it.each(['salesfarce', '', '__proto__', 'constructor'])('does not know %j', (provider) => {
    expect(inboundFor(provider)).toBeUndefined();
    expect(adapterFor({ ...connection, provider } as never, {} as never)).toBeUndefined();
  });
});
