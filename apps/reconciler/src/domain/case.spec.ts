import { stateAfter, type CaseMove, type CaseState } from './case.js';

const states: (CaseState | 'none')[] = ['none', 'open', 'assigned', 'settled'];
const moves: CaseMove[] = ['open', 'refresh', 'assign', 'release', 'settle', 'reopen'];

test('these moves exist and no others', () => {
  const table = Object.fromEntries(
    states.map((state) => [
      state,
      moves.flatMap((move) => {
        const next = stateAfter(state, move);
        return next === undefined ? [] : [`${move} -> ${next}`];
      }),
    ]),
  );
  expect(table).toEqual({
    none: ['open -> open'],
    open: ['refresh -> open', 'assign -> assigned', 'settle -> settled'],
    assigned: ['refresh -> assigned', 'assign -> assigned', 'release -> open', 'settle -> settled'],
    settled: ['reopen -> open'],
  });
});
