/** One line of a verdict: what was expected, what was measured. */
export interface CheckRow {
  readonly name: string;
  readonly expected: string;
  readonly measured: string;
  readonly ok: boolean;
}

/** What a check found, before it is given its name. */
export type Finding = Omit<CheckRow, 'name'>;

const headings = ['', 'check', 'expected', 'measured'] as const;
const cellMax = 64;

/** The rows as a table for a terminal. `labels` names the group of each row (an act) in front. */
export function verdictTable(rows: readonly (CheckRow & { readonly label?: string })[]): string {
  const labelled = rows.some(({ label }) => label !== undefined);
  const head = labelled ? ['', 'act', ...headings.slice(1)] : [...headings];
  const body = rows.map((row) => [
    row.ok ? 'ok' : 'NO',
    ...(labelled ? [row.label ?? ''] : []),
    row.name,
    row.expected,
    row.measured,
  ]);
  const cut = [head, ...body].map((cells) => cells.map(shortened));
  const widths = head.map((_, at) => Math.max(...cut.map((cells) => widthOf(cells[at] ?? ''))));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(cut[0] ?? []), rule, ...cut.slice(1).map(line)].join('\n');
}

const shortened = (cell: string): string =>
  widthOf(cell) <= cellMax ? cell : `${[...cell].slice(0, cellMax - 1).join('')}…`;

/** Combining marks take no room of their own. */
const widthOf = (text: string): number => [...text.normalize('NFC')].length;
