import { STANDARD_TYPES } from '../objects/object-types.js';
import type { CrmRecord } from '../objects/record.js';
import { SearchIndex } from './search-index.js';

const contacts = STANDARD_TYPES[0];
const record = (id: string, firstname: string): CrmRecord => {
  if (!contacts) throw new Error('no contacts');
  const origin = { source: 'CRM_UI', sourceId: 'userId:1', userId: 1, depth: 0 };
  return {
    type: contacts,
    id,
    createdAtMs: 0,
    createdBy: origin,
    updatedAtMs: 0,
    archivedAtMs: null,
    mergedInto: null,
    erased: false,
    properties: new Map([['firstname', firstname]]),
    history: new Map(),
  };
};
const names = (index: SearchIndex, nowMs: number) =>
  index.visible(nowMs).map((snapshot) => snapshot.properties.get('firstname'));

describe('search index', () => {
  it('shows creates and updates only after the lag', () => {
    const index = new SearchIndex();
    const ada = record('1', 'Ada');
    index.note(ada, 0, 10_000);
    expect(names(index, 9_999)).toEqual([]);
    expect(names(index, 10_000)).toEqual(['Ada']);
    ada.properties = new Map([['firstname', 'Augusta']]);
    index.note(ada, 20_000, 10_000);
    expect(names(index, 29_999)).toEqual(['Ada']);
    expect(names(index, 30_000)).toEqual(['Augusta']);
  });

  it('gives each change its own wait', () => {
    const index = new SearchIndex();
    index.note(record('1', 'Ada'), 0, 10_000);
    index.note(record('2', 'Bob'), 9_000, 10_000);
    expect(names(index, 10_000)).toEqual(['Ada']);
    expect(names(index, 19_000)).toEqual(['Ada', 'Bob']);
  });

  it('never lets an older state replace a newer one when the lag is shortened', () => {
    const index = new SearchIndex();
    const ada = record('1', 'Ada');
    index.note(ada, 0, 10_000);
    ada.properties = new Map([['firstname', 'Augusta']]);
    index.note(ada, 1_000, 0);
    expect(names(index, 1_000)).toEqual(['Augusta']);
    expect(names(index, 20_000)).toEqual(['Augusta']);
  });

  it('hides archived records at once and merged-away ones after the lag', () => {
    const index = new SearchIndex();
    const [ada, bob] = [record('1', 'Ada'), record('2', 'Bob')];
    [ada, bob].forEach((one) => index.note(one, 0, 0));
    ada.archivedAtMs = 5;
    expect(names(index, 5)).toEqual(['Bob']);
    bob.mergedInto = '3';
    index.note(bob, 10, 1_000);
    expect(names(index, 500)).toEqual(['Bob']);
    expect(names(index, 1_010)).toEqual([]);
  });
});
