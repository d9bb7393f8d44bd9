const dayMs = 86_400_000;

/**
 * A day without a zone, `YYYY-MM-DD`. Also read: milliseconds of that day's midnight in UTC, the
 * form in which some CRMs send date fields. Any other moment is refused: which day it is depends on
 * a zone nobody told us, and guessing moves dates by a day.
 */
export const normaliseDate = (raw: string | number): string | undefined => {
  const ms = millisecondsOf(raw);
  if (ms !== undefined) return ms % dayMs === 0 ? isoOf(ms)?.slice(0, 10) : undefined;
  const text = String(raw).trim();
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  return found && isoOf(Date.parse(`${text}T00:00:00Z`))?.slice(0, 10) === text ? text : undefined;
};

const instantForm =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-]\d{2}):?(\d{2}))$/;

/**
 * A moment as ISO 8601 in UTC with milliseconds (finer digits are cut off). Read from ISO 8601 with
 * a zone or from milliseconds since the epoch. A text without a zone is refused, never guessed.
 */
export const normaliseInstant = (raw: string | number): string | undefined => {
  const ms = millisecondsOf(raw);
  if (ms !== undefined) return isoOf(ms);
  const found = instantForm.exec(String(raw).trim());
  if (!found) return undefined;
  const [, day = '', hour, minute, second = '00', fraction = '', , zoneHour, zoneMinute] = found;
  if (normaliseDate(day) === undefined) return undefined;
  const zone = zoneHour === undefined ? 'Z' : `${zoneHour}:${zoneMinute}`;
  const millis = fraction.padEnd(3, '0').slice(0, 3);
  return isoOf(Date.parse(`${day}T${hour}:${minute}:${second}.${millis}${zone}`));
};

const millisecondsOf = (raw: string | number): number | undefined => {
  if (typeof raw === 'number') return raw;
  return /^-?\d{5,15}$/.test(raw.trim()) ? Number(raw.trim()) : undefined;
};

/** Years of four digits only, so that the texts sort and every CRM can read them. */
const isoOf = (ms: number): string | undefined => {
  const isInRange = Number.isInteger(ms) && ms >= -62_167_219_200_000 && ms < 253_402_300_800_000;
  return isInRange ? new Date(ms).toISOString() : undefined;
};
