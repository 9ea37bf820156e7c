import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostService } from '../testing/hosted-service.ts';
import { installProgram } from '../testing/install-program.ts';
import { sqlite } from '../testing/test-databases.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'operate');
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const rules = read('alerts.yaml');
const dashboard = read('grafana-dashboard.json');

/** The Debian package has the program `promtool`. */
const options = {
  skip: !installProgram('prometheus') && 'Prometheus is missing and cannot be installed',
};
const promtool = (...words: readonly string[]) =>
  execFileSync('promtool', words, { cwd: folder, encoding: 'utf8', stdio: 'pipe', timeout: 120_000 });

/** An expression in YAML is the rest of its line, or the lines below that are indented by ten spaces. */
const ruleExpressions = [...rules.matchAll(/^ +expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/gm)].map(
  ([, block, line]) => block ?? line ?? '',
);
const queries = [...dashboard.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(
  ([, text]) => JSON.parse(`"${text}"`) as string,
);

/** Names of all metrics of the service, with the samples of histograms. */
async function exposedNames(): Promise<readonly string[]> {
  await using service = await hostService(sqlite);
  const metrics = await service.metrics();
  return [...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', kind]) =>
    kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name],
  );
}

const keywords = new Set(['and', 'or', 'unless', 'by', 'on', 'without', 'ignoring', 'offset', 'bool']);

/** Names of the series in an expression: words that are no labels, functions, durations or operators. */
function seriesIn(expression: string): readonly string[] {
  const bare = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\boffset\s+\w+/g, ' ');
  const words = [...bare.matchAll(/(?<![\w:.])([a-z_][\w:]*)(?!\w|:|\s*\()/gi)].map(([, word = '']) => word);
  return words.filter((word) => !keywords.has(word));
}

test('alert rules and dashboard: each series is of service, probe, backup or Prometheus', async () => {
  assert.ok(ruleExpressions.length > 15 && queries.length > 15);
  // What `release probe` and `leads backup` write.
  const ofProbe = ['site_journeys_broken', 'site_probe_up', 'site_probe_time_seconds'];
  const ofBackup = 'leads_backup_time_seconds';
  const recorded = [...rules.matchAll(/^ +- record: (.+)$/gm)].map(([, name = '']) => name);
  const known = new Set([...(await exposedNames()), ...recorded, ...ofProbe, ofBackup, 'up']);
  const used = new Set([...ruleExpressions, ...queries].flatMap(seriesIn));
  const unknown = [...used].filter((name) => !known.has(name));
  assert.deepEqual(unknown, []);
  assert.ok(used.has('site_part_failed_total') && used.has('site_web_vital_seconds_bucket'));
});

test('alert rules: promtool accepts them, and they fire when they should', options, () => {
  assert.match(promtool('check', 'rules', 'alerts.yaml'), /SUCCESS: \d+ rules found/);
  assert.match(promtool('test', 'rules', 'alerts.test.yaml', 'slow-alerts.test.yaml'), /SUCCESS/);
});

test('dashboard: Prometheus can evaluate every query', options, () => {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'dashboard-'));
  const concrete = queries.map((query) =>
    query.replaceAll('$__rate_interval', '5m').replaceAll('$part', 'mf-pricing'),
  );
  // JSON is valid YAML.
  const asRules = concrete.map((expr, index) => ({ record: `query_${index}`, expr }));
  const file = join(temporary.path, 'queries.yaml');
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: asRules }] }));
  assert.match(promtool('check', 'rules', file), new RegExp(`SUCCESS: ${queries.length} rules found`));
});
