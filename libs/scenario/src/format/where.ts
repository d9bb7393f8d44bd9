/** Which tenant and which source of its plan. */
export interface Where {
  readonly tenant?: string;
  /** Default `crm` (for `push`: `app`). */
  readonly source?: string;
}
