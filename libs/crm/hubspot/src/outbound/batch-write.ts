import type { Calls } from './caller.js';
import { classifyAnswer, type Failure } from './classify.js';
import { readBatch, type BatchInput, type IsResultOf } from './batch-answer.js';
import type { JsonObject } from './untrusted-json.js';

/** HubSpot takes at most this many inputs in a batch call. */
export const batchMax = 100;

export type ItemVerdict = { readonly kind: 'entry'; readonly entry: JsonObject } | Failure;

export interface BatchEndpoint {
  readonly path: string;
  readonly isResultOf: IsResultOf;
  /** Sending an input twice does the same as once: inputs the answer is silent on may go again. */
  readonly isRepeatable: boolean;
}

/**
 * Writes all inputs and answers in their order, each with its own verdict. One bad input never
 * takes its neighbours with it: a refusal of a whole call wrote nothing, so the call is cut in
 * halves until the refusal is about one input. Nothing is repeated that might have been written.
 */
export const writeBatches = async (
  inputs: readonly BatchInput[],
  endpoint: BatchEndpoint,
  calls: Calls,
): Promise<readonly ItemVerdict[]> => {
  const verdicts = new Map<BatchInput, ItemVerdict>();
  for (const wave of wavesOf(inputs)) {
    for (let start = 0; start < wave.length; start += batchMax) {
      await writeCall(wave.slice(start, start + batchMax), endpoint, calls, verdicts);
    }
  }
  return inputs.map((input) => verdicts.get(input) ?? silent);
};

const silent: Failure = { kind: 'unknown', code: 'no-verdict' };

/** The n-th input with the same key goes into the n-th wave, after its forerunner's answer. */
export const wavesOf = (inputs: readonly BatchInput[]): readonly BatchInput[][] => {
  const waves: BatchInput[][] = [];
  const seen = new Map<string, number>();
  for (const input of inputs) {
    const wave = input.key === null ? 0 : (seen.get(input.key) ?? 0);
    if (input.key !== null) seen.set(input.key, wave + 1);
    (waves[wave] ??= []).push(input);
  }
  return waves;
};

const writeCall = async (
  inputs: readonly BatchInput[],
  endpoint: BatchEndpoint,
  calls: Calls,
  verdicts: Map<BatchInput, ItemVerdict>,
): Promise<void> => {
  const body = { inputs: inputs.map((input) => input.body) };
  const sent = await calls.send({ scope: 'call', method: 'POST', path: endpoint.path, body });
  if (sent.kind !== 'answer') return tellAll(inputs, sent, verdicts);
  if (sent.status < 200 || sent.status > 299) {
    const failure = classifyAnswer(sent, sent.answeredAtMs);
    const isDivisible = inputs.length > 1 && failure.kind === 'refused' && isAboutItems(failure);
    return isDivisible
      ? writeHalves(inputs, endpoint, calls, verdicts)
      : tellAll(inputs, failure, verdicts);
  }
  const { answers, isWellFormed } = readBatch(sent, inputs, endpoint.isResultOf);
  const untold: BatchInput[] = [];
  inputs.forEach((input, index) => {
    const answer = answers[index];
    if (answer === undefined || answer.kind === 'silent') untold.push(input);
    else verdicts.set(input, answer);
  });
  if (endpoint.isRepeatable && isWellFormed && inputs.length > 1) {
    await writeHalves(untold, endpoint, calls, verdicts);
  }
};

/** Refusals of the connection would only be repeated by every half. */
const isAboutItems = ({ code }: { readonly code: string }): boolean =>
  code !== 'credentials' && code !== 'permission';

const writeHalves = async (
  inputs: readonly BatchInput[],
  endpoint: BatchEndpoint,
  calls: Calls,
  verdicts: Map<BatchInput, ItemVerdict>,
): Promise<void> => {
  const middle = Math.ceil(inputs.length / 2);
  for (const half of [inputs.slice(0, middle), inputs.slice(middle)]) {
    if (half.length > 0) await writeCall(half, endpoint, calls, verdicts);
  }
};

const tellAll = (
  inputs: readonly BatchInput[],
  verdict: Failure,
  verdicts: Map<BatchInput, ItemVerdict>,
): void => inputs.forEach((input) => verdicts.set(input, verdict));
