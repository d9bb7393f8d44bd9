/** Wall time in ms since the epoch; the machine's clock satisfies it, and so does a fixed one. */
export interface Clock {
  nowMs(): number;
}
