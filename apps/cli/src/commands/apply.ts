import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { createCodec, topicNames } from '@counterpart/contracts';
import { knownProviders } from '@counterpart/crm-registry';
import { createProducer } from '@counterpart/platform-kafka';
import type { TenantId } from '@counterpart/sync-model';
import { parseSyncPlan, type PlanFault, type SyncPlan } from '@counterpart/sync-plan';
import { readTarget, targetOptions, type Target, type TargetFlags } from './target.js';
import { wholeNumber } from './whole-number.js';

interface ApplyFlags extends TargetFlags {
  readonly file: string;
  readonly allowPrivateAddresses?: boolean;
  readonly check?: boolean;
  readonly reach?: boolean;
  readonly waitSeconds: number;
}

const exit = { done: 0, failed: 1, wrongPlan: 2 } as const;
const reachMs = 3_000;
const pollMs = 100;

/** `counterpart apply -f plan.yaml`: checks a sync plan, publishes it, waits until it is worked by. */
export function addApplyCommand(program: Command): void {
  const command = program
    .command('apply')
    .description('check a sync plan and make all services work by it')
    .requiredOption('-f, --file <plan.yaml>', 'the plan')
    .option('--check', 'only say what is wrong with it')
    .option('--no-reach', 'do not try whether the CRMs’ addresses answer')
    .option('--allow-private-addresses', 'let sources live at private addresses (development only)')
    .option('--wait-seconds <n>', 'how long to wait for the services', wholeNumber(0), 30);
  targetOptions(command).action(async (flags: ApplyFlags) => {
    process.exitCode = await apply(flags);
  });
}

async function apply(flags: ApplyFlags): Promise<number> {
  const text = await readFile(flags.file, 'utf8').catch(() => null);
  if (text === null) {
    process.stderr.write(`${flags.file} cannot be read: give the path of a sync plan\n`);
    return exit.wrongPlan;
  }
  const parsed = parseSyncPlan(text, {
    knownProviders: ['app', ...knownProviders],
    allowPrivateAddresses: flags.allowPrivateAddresses === true,
  });
  if (!parsed.ok) return tellFaults(flags.file, parsed.faults);
  const silent = flags.reach === false ? [] : await unreachable(parsed.plan);
  for (const { sourceId, baseUrl } of silent)
    process.stderr.write(
      `${flags.file}: unreachable: source ${sourceId}: nothing answers at ${baseUrl}\n`,
    );
  if (silent.length > 0) return exit.wrongPlan;
  if (flags.check === true) {
    process.stdout.write(`${flags.file}: the plan of ${parsed.plan.tenantId} is well formed\n`);
    return exit.done;
  }
  const target = readTarget(flags);
  const version = Date.now();
  await publish(target, parsed.plan.tenantId, version, parsed.planJson);
  const late = await servicesBehind(
    target,
    parsed.plan.tenantId,
    version,
    flags.waitSeconds * 1_000,
  );
  if (late.length > 0) {
    process.stderr.write(
      `published as version ${version}, but not yet taken up by ${late.join(', ')}: are they running?\n`,
    );
    return exit.failed;
  }
  const isAsked = target.planKeepers.length > 0;
  process.stdout.write(
    isAsked
      ? `plan of ${parsed.plan.tenantId} is in force, version ${version}\n`
      : `plan of ${parsed.plan.tenantId} is published, version ${version}; no service was asked\n`,
  );
  return exit.done;
}

function tellFaults(file: string, faults: readonly PlanFault[]): number {
  for (const { line, column, path, code, message } of faults)
    process.stderr.write(`${file}:${line}:${column}: ${code}: ${path}: ${message}\n`);
  process.stderr.write(
    `${faults.length} fault${faults.length === 1 ? '' : 's'}; nothing was published\n`,
  );
  return exit.wrongPlan;
}

/** Sources at whose address nothing answers. Any HTTP answer will do: this is no login. */
async function unreachable(plan: SyncPlan) {
  const sources = Object.entries(plan.sources).flatMap(([sourceId, source]) =>
    source.kind === 'crm' ? [{ sourceId, baseUrl: source.baseUrl }] : [],
  );
  const tried = await Promise.all(
    sources.map(async (source) => ({ source, answers: await answers(source.baseUrl) })),
  );
  return tried.filter((one) => !one.answers).map(({ source }) => source);
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(reachMs) });
    return true;
  } catch {
    return false;
  }
}

async function publish(
  target: Target,
  tenantId: TenantId,
  version: number,
  planJson: string,
): Promise<void> {
  const codec = await createCodec({ registryUrl: target.registryUrl });
  const producer = createProducer({ brokers: target.brokers, clientId: 'counterpart-cli' });
  try {
    const topic = topicNames.sourceRegistry;
    const value = codec.encode(topic, { tenantId, version, planJson, publishedAtMs: version });
    await producer.send([{ topic, key: tenantId, value, headers: {} }]);
  } finally {
    await producer.close();
  }
}

/** Services that do not work by the version when the time is over. */
async function servicesBehind(
  target: Target,
  tenantId: TenantId,
  version: number,
  timeoutMs: number,
): Promise<readonly string[]> {
  const untilMs = Date.now() + timeoutMs;
  for (;;) {
    const behind = (
      await Promise.all(
        target.planKeepers.map(async ([name, url]) => ({
          name,
          version: await versionAt(url, tenantId),
        })),
      )
    ).filter((one) => one.version < version);
    if (behind.length === 0 || Date.now() >= untilMs) return behind.map(({ name }) => name);
    await wait(pollMs);
  }
}

async function versionAt(url: string, tenantId: string): Promise<number> {
  try {
    const response = await fetch(`${url}/operator/plans/${encodeURIComponent(tenantId)}`, {
      signal: AbortSignal.timeout(reachMs),
    });
    const body: unknown = response.ok ? await response.json() : null;
    return typeof body === 'object' && body !== null && 'version' in body
      ? Number(body.version)
      : 0;
  } catch {
    return 0;
  }
}
