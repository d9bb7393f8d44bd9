/** What each kind of test runner says about its run, as `{passed, failed}`; undefined when it said nothing. */

/** From the JSON of `jest --json`. A file that could not run counts as one failure. */
export function jestCounts(result) {
  if (typeof result?.numPassedTests !== 'number') return undefined;
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  // Jest can fail as a whole without one failed test, for instance when a hook throws at the end.
  return { passed: result.numPassedTests, failed: failed === 0 && !result.success ? 1 : failed };
}

/** From the summary that ends the TAP output of `node --test`. */
export function tapCounts(text) {
  const number = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(text)?.[1] ?? NaN);
  const passed = number('pass');
  const failed = number('fail') + number('cancelled');
  return Number.isNaN(passed + failed) ? undefined : { passed, failed };
}

const TOTALS = /^(\d+) passed, (\d+) failed$/;

/** From the last line of the form `N passed, N failed`. */
export function totalsLine(text) {
  const last = text
    .split('\n')
    .map((line) => TOTALS.exec(line.trim()))
    .filter(Boolean)
    .at(-1);
  return last ? { passed: Number(last[1]), failed: Number(last[2]) } : undefined;
}

/** Whether a line is a total that a reader of the whole output could take for the last word. */
export function isTotalsLine(line) {
  return TOTALS.test(line.trim());
}

/**
 * One piece's result as it counts: a piece that gave no count, or that passed everything and still
 * ended with an error, is one failure, since silence must not pass.
 */
export function judgePiece({ counts, code }) {
  if (!counts) return { passed: 0, failed: 1 };
  if (code !== 0 && counts.failed === 0) return { ...counts, failed: 1 };
  return counts;
}

/** Sum of `{passed, failed}` objects. */
export function sumCounts(all) {
  return all.reduce(
    (sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }),
    { passed: 0, failed: 0 },
  );
}

/** The failures in the JSON of `jest --json`, each as a few lines to print. */
export function jestFailures(result, linesEach = 12) {
  return (result?.testResults ?? []).flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && file.status === 'failed')
      return [`${file.name}\n${firstLines(file.message, linesEach)}`];
    return failed.map(
      (test) => `${test.fullName}\n${firstLines(test.failureMessages.join('\n'), linesEach)}`,
    );
  });
}

function firstLines(text, count) {
  return text.split('\n').slice(0, count).join('\n');
}
