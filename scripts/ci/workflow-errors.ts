import { registerHooks } from 'node:module';
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/index';

// The parser imports its schema without the attribute that Node demands, because it is made for bundlers.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
  await import('@actions/workflow-parser');
const { isBasicExpression, isMapping, isScalar, isSequence } =
  await import('@actions/workflow-parser/templates/tokens/type-guards');

/** A step with an action of this repository, or with the commit of another one and, as a comment, its release. */
const pinnedAction = /^\s*(?:- )?uses: (?:\.\/|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/;

/**
 * All that a job which gets tokens of GitHub may have: names of its values, and what they may be. The code of a part, of its
 * dependencies and of its build could get a token, or change what the job runs next: by a command, a variable such as NODE_OPTIONS,
 * a folder, a shell, a container, or files in place of these of the repository. npm scripts put the programs of all packages first
 * on the PATH.
 */
const trusted: readonly (readonly [name: RegExp, value?: RegExp])[] = [
  [/^(?:environment|if|name|needs|outputs|permissions|runs-on|timeout-minutes)(?:\.|$)/],
  [/^steps\.\d+\.(?:id|if|name|env\.(?:PART|RELEASE_URL))$/],
  [/^steps\.\d+\.run$/, /^node (?:scripts\/ci\/[\w-]+\.ts|scripts\/bootstrap\.mjs)(?: "\$[A-Z_]+")*$/],
  [/^steps\.\d+\.uses$/, /^actions\/(?:checkout|download-artifact|setup-node)@/],
  [/^steps\.\d+\.with\.(?:artifact-ids|fetch-depth|node-version-file|persist-credentials)$/],
  [/^steps\.\d+\.with\.package-manager-cache$/, /^false$/],
  [/^steps\.\d+\.with\.path$/, /^\$\{\{ inputs\.part \}\}\/dist$/],
];

/** A value of a workflow, such as `jobs.build.steps.0.run`. */
interface Value {
  readonly name: string;
  readonly text: string;
  readonly line: number;
}

/**
 * Mistakes in a workflow: keys, types and expressions, unknown jobs in `needs`, actions without a fixed commit, missing limits,
 * secrets, and foreign code in jobs that get tokens of GitHub.
 */
export async function workflowErrors(name: string, content: string): Promise<readonly string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  const template = value && (await convertWorkflowTemplate(context, value));
  const invalid = context.errors.getErrors().map(({ message }) => message);
  // The parser returns nothing for some of its errors.
  if (!template || invalid.length > 0) return invalid;
  const lines = content.split('\n');
  const values = valuesOf(value);
  // A called workflow has its own limits, and jobs of its own.
  const jobs = template.jobs.filter(({ type }) => type === 'job').map(({ id }) => `jobs.${id.value}.`);
  return [
    ...(/^permissions:/m.test(content) ? [] : ['It does not limit its permissions. Add "permissions".']),
    ...(jobs.every((job) => values.some((each) => each.name === `${job}timeout-minutes`))
      ? []
      : ['A job has no time limit. Add "timeout-minutes" to each.']),
    ...(/^\s*(?:- )?run: .*[^|]\|\s*\w/m.test(content) && !/^ {4}shell: bash$/m.test(content)
      ? ['A pipe hides failures in the default shell. Add "defaults: run: shell: bash".']
      : []),
    ...values
      .filter((each) => each.name.endsWith('.uses') && !pinnedAction.test(lines[each.line - 1] ?? ''))
      .map(
        ({ line }) =>
          `Line ${line}: an action without a fixed commit. Write "uses: owner/name@<commit> # v1.2.3".`,
      ),
    ...values
      .filter((each) => /\bsecrets\b/i.test(each.name) || /\$\{\{[^]*\bsecrets\b/i.test(each.text))
      .map(
        ({ line }) =>
          `Line ${line}: a secret. Give the job "id-token: write", and let the other side accept its token.`,
      ),
    ...jobs.flatMap((job) => errorsAboutTokens(values, job)),
  ];
}

/** All values in one, of whatever depth. */
function valuesOf(token: TemplateToken, name = '', line = 1): readonly Value[] {
  const inside = (key: string) => (name === '' ? key : `${name}.${key}`);
  if (isMapping(token)) {
    return [...token].flatMap(({ key, value }) =>
      valuesOf(value, inside(key.toString()), key.line ?? token.line),
    );
  }
  if (isSequence(token)) {
    return [...token].flatMap((value, index) => valuesOf(value, inside(String(index)), value.line));
  }
  if (!isScalar(token)) return [];
  const source = isBasicExpression(token) ? token.source : undefined;
  return [{ name, text: source ?? token.toString(), line }];
}

/** A job that gets tokens has an environment, and nothing that is not trusted. */
function errorsAboutTokens(values: readonly Value[], job: string): readonly string[] {
  // What is outside of all jobs holds for each.
  const own = values.flatMap((value) =>
    value.name.startsWith(job) ? [{ ...value, name: value.name.slice(job.length) }] : [],
  );
  const shared = values.filter(({ name }) => /^(?:permissions|env|defaults)(?:\.|$)/.test(name));
  const found = [...shared, ...own];
  const has = (name: string) => own.some((value) => value.name === name);
  const getsTokens = found.some(
    ({ name, text }) => /^permissions(?:\.id-token)?$/.test(name) && /^write(?:-all)?$/.test(text),
  );
  if (!getsTokens) return [];
  const isTrusted = ({ name, text }: Value) =>
    trusted.some(([known, value = /(?:)/]) => known.test(name) && value.test(text));
  const caching = own.filter(
    ({ name, text }) =>
      text.startsWith('actions/setup-node@') && !has(name.replace(/uses$/, 'with.package-manager-cache')),
  );
  return [
    ...(own.some(({ name }) => /^environment(?:\.name)?$/.test(name))
      ? []
      : [
          'A job gets tokens without an environment. Add "environment: production-…", which its token names.',
        ]),
    ...found
      .filter((value) => !isTrusted(value))
      .map(
        ({ name, text, line }) =>
          `Line ${line}: a job with tokens must not run or set "${name.replace(/^steps\.\d+\./, '')}: ${text}". Do it in a job without "id-token: write", and pass the files on as an artifact.`,
      ),
    ...caching.map(
      ({ line }) =>
        `Line ${line}: a job with tokens restores a cache, which other jobs can write. Set "package-manager-cache: false" for actions/setup-node.`,
    ),
  ];
}
