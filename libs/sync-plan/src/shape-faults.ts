import type { z } from 'zod';
import type { Path } from './read-yaml.js';

export interface ShapeFault {
  readonly path: Path;
  readonly code: string;
  readonly message: string;
}

type Issue = z.core.$ZodIssue;

/** A checker's issues in our words: a stable code each, one fault for each unknown key. */
export function shapeFaults(error: z.ZodError, base: Path = []): readonly ShapeFault[] {
  return error.issues.flatMap((issue) => faultsOf(issue, base));
}

function faultsOf(issue: Issue, base: Path): readonly ShapeFault[] {
  const path = [
    ...base,
    ...issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
  ];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      code: 'unknown-key',
      message: `${key} is not a setting here`,
    }));
  if (issue.code === 'invalid_key') return issue.issues.map((inner) => coded(inner, path));
  return [coded(issue, path)];
}

function coded(issue: Issue, path: Path): ShapeFault {
  const own = /^([a-z]+(?:-[a-z]+)*): (.+)$/s.exec(issue.message);
  if (own?.[1] && own[2]) return { path, code: own[1], message: own[2] };
  return { path, code: codeOf(issue), message: sentenceOf(issue) };
}

function codeOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return missing(issue) ? 'missing' : 'wrong-type';
    case 'invalid_value':
    case 'invalid_union':
      return 'not-allowed';
    case 'too_small':
    case 'too_big':
      return 'out-of-range';
    default:
      return 'bad-format';
  }
}

function sentenceOf(issue: Issue): string {
  const last = String(issue.path.at(-1) ?? 'the plan');
  if (missing(issue)) return `${last} is missing`;
  if (issue.code === 'invalid_union' && issue.path.at(-1) === 'type')
    return 'unknown field type; known: text, email, phone, domain, date, instant, picklist, number, boolean';
  return `${last}: ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
}

const missing = (issue: Issue): boolean =>
  issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
