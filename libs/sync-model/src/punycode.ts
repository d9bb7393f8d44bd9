/** RFC 3492 parameters for host names. */
const base = 36;
const tMin = 1;
const tMax = 26;
const skew = 38;
const damp = 700;
const initialBias = 72;
const initialN = 128;

/**
 * A label in Punycode, without the `xn--` prefix (RFC 3492 section 6.3). Written out because the
 * model may use neither `URL` nor Node's own module.
 */
export const punycode = (label: string): string => {
  const points = [...label].map((character) => character.codePointAt(0) ?? 0);
  const basic = points.filter((point) => point < initialN);
  let output = String.fromCodePoint(...basic) + (basic.length > 0 ? '-' : '');
  let handled = basic.length;
  let [n, delta, bias] = [initialN, 0, initialBias];
  while (handled < points.length) {
    const next = Math.min(...points.filter((point) => point >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta += 1;
      if (point !== n) continue;
      output += variableLength(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    n += 1;
  }
  return output;
};

const variableLength = (delta: number, bias: number): string => {
  let text = '';
  let rest = delta;
  for (let k = base; ; k += base) {
    const threshold = Math.min(tMax, Math.max(tMin, k - bias));
    if (rest < threshold) return text + digit(rest);
    text += digit(threshold + ((rest - threshold) % (base - threshold)));
    rest = Math.floor((rest - threshold) / (base - threshold));
  }
};

/** 0–25 are letters, 26–35 the ten digits. */
const digit = (value: number): string => String.fromCharCode(value + (value < 26 ? 97 : 22));

const adapt = (delta: number, length: number, isFirst: boolean): number => {
  let rest = isFirst ? Math.floor(delta / damp) : Math.floor(delta / 2);
  rest += Math.floor(rest / length);
  let k = 0;
  while (rest > ((base - tMin) * tMax) / 2) {
    rest = Math.floor(rest / (base - tMin));
    k += base;
  }
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew));
};
