/**
 * The integration that most teams write first, and many keep: look the record up by search, create
 * it when search finds nothing, try again when no answer came. It is not a straw man: it drops
 * deliveries it has seen, trims and lower-cases addresses, adopts the record a 409 names, honours
 * Retry-After, and begins every retry with a new search. What it lacks is a claim before the
 * create, and the idea that a lost answer may mean success while search is still behind.
 */
export interface UsualSettings {
  readonly baseUrl: string;
  readonly accessToken: string;
  readonly requestDeadlineMs?: number;
  /** Changes handled at once, as a small worker pool would. */
  readonly workers?: number;
}

type Properties = Readonly<Record<string, string>>;
interface Answer {
  readonly status: number;
  readonly body: { id?: string; message?: string; results?: readonly { id: string }[] };
  readonly retryAfterMs: number;
}
interface Attendee {
  readonly email: string;
  readonly firstName?: string;
  readonly company?: { readonly domain: string; readonly name?: string };
}

const attemptsMax = 4;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Takes an app's meeting changes straight to a HubSpot portal. */
export function usualIntegration(settings: UsualSettings): UsualIntegration {
  return new UsualIntegration(settings);
}

class UsualIntegration {
  private readonly seen = new Set<string>();
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(private readonly settings: UsualSettings) {
    this.free = settings.workers ?? 40;
  }

  /** Resolves when the change is written or given up. */
  async handle(change: Readonly<Record<string, unknown>>): Promise<void> {
    const id = String(change['id']);
    if (this.seen.has(id)) return;
    this.seen.add(id);
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.free -= 1;
    try {
      await this.writeMeeting(change);
    } catch {
      // Logged and forgotten, as everywhere: nobody owns what could not be written.
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private async writeMeeting(change: Readonly<Record<string, unknown>>): Promise<void> {
    const fields = { title: '', startsAt: '', endsAt: '', ...Object(change['fields']) };
    const attendees: readonly Attendee[] = Array.isArray(change['attendees'])
      ? change['attendees']
      : [];
    const contacts: string[] = [];
    for (const attendee of attendees) contacts.push(await this.writeAttendee(attendee));
    const meeting = await this.findOrCreate('meetings', 'hs_meeting_title', {
      hs_meeting_title: fields.title,
      hs_meeting_start_time: fields.startsAt,
      hs_meeting_end_time: fields.endsAt,
      hs_timestamp: fields.startsAt,
    });
    for (const contact of contacts) await this.link('meetings', meeting, 'contacts', contact);
  }

  private async writeAttendee({ email, firstName = '', company }: Attendee): Promise<string> {
    const address = email.trim().toLowerCase();
    const contact = await this.findOrCreate('contacts', 'email', {
      email: address,
      firstname: firstName,
    });
    if (!company) return contact;
    const domain = company.domain.trim().toLowerCase();
    const properties = { domain, name: company.name ?? domain };
    const companyId = await this.findOrCreate('companies', 'domain', properties);
    await this.link('contacts', contact, 'companies', companyId);
    return contact;
  }

  private async findOrCreate(type: string, key: string, properties: Properties): Promise<string> {
    const answer = await this.retried(async () => {
      const filters = [{ propertyName: key, operator: 'EQ', value: properties[key] }];
      const path = `/crm/v3/objects/${type}`;
      const found = await this.call('POST', `${path}/search`, { filterGroups: [{ filters }] });
      const [first] = found.body.results ?? [];
      if (first) return { ...found, body: { id: first.id } };
      if (found.status !== 200) return found;
      return this.call('POST', path, { properties });
    });
    const id = answer.body.id ?? /Existing ID:\s*(\d+)/.exec(answer.body.message ?? '')?.[1];
    if (id === undefined)
      throw new Error(`${type} refused: ${answer.body.message ?? answer.status}`);
    return id;
  }

  private link(from: string, fromId: string, to: string, toId: string): Promise<Answer> {
    const path = `/crm/v4/objects/${from}/${fromId}/associations/default/${to}/${toId}`;
    return this.retried(() => this.call('PUT', path, {}));
  }

  /** Any failure, a timeout included, is answered by doing the whole thing again. */
  private async retried(work: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await work();
        if (answer.status < 429) return answer;
        if (attempt === attemptsMax) throw new Error(`gave up after ${answer.status}`);
        await pause(answer.status === 429 ? answer.retryAfterMs : 250 * attempt);
      } catch (error) {
        if (attempt === attemptsMax) throw error;
        await pause(250 * attempt);
      }
    }
  }

  private async call(method: string, path: string, payload: object): Promise<Answer> {
    const { baseUrl, accessToken, requestDeadlineMs = 2_000 } = this.settings;
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(requestDeadlineMs);
    const body = JSON.stringify(payload);
    const response = await fetch(baseUrl + path, { method, headers, body, signal });
    const text = await response.text();
    const retryAfterMs = Number(response.headers.get('retry-after') ?? 1) * 1000;
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), retryAfterMs };
  }
}
