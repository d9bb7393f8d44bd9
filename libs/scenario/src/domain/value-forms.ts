/**
 * The same address as different people and programs write it: other letter case, spaces around it,
 * unicode composed and decomposed. Every form means the same person or company.
 */
export function valueForms(text: string): readonly string[] {
  const composed = text.normalize('NFC');
  const decomposed = text.normalize('NFD');
  const capital = composed.charAt(0).toUpperCase() + composed.slice(1);
  return [
    composed,
    decomposed,
    composed.toUpperCase(),
    ` ${composed}`,
    capital,
    `${decomposed}  `,
    ` ${decomposed.toUpperCase()} `,
  ];
}

/** The nth form (from 1), in turn. */
export function valueForm(text: string, n: number): string {
  const forms = valueForms(text);
  return forms[(n - 1) % forms.length] ?? text;
}
