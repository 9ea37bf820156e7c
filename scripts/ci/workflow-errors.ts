import { registerHooks } from 'node:module';

// The parser imports its schema without the attribute that Node demands, because it is made for bundlers.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
  await import('@actions/workflow-parser');

/** A step with an action of this repository, or with the commit of another one and, as a comment, its release. */
const pinnedAction = /^\s*(?:- )?uses: (?:\.\/|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/;

/**
 * What a job that gets tokens of GitHub may run. The code of a part, of its dependencies and of its build could get one, or change
 * what the job runs next. npm scripts put the programs of all packages first on the PATH.
 */
const trustedCommand = /^run: node (?:scripts\/ci\/[\w-]+\.ts|scripts\/bootstrap\.mjs)(?: "\$[A-Z_]+")*$/;
const trustedAction = /^uses: actions\/(?:checkout|download-artifact|setup-node)@/;

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
  // A called workflow has its own limits.
  const limited = template.jobs.filter(({ type }) => type === 'job');
  return [
    ...(/^permissions:/m.test(content) ? [] : ['It does not limit its permissions. Add "permissions".']),
    ...(lines.filter((line) => /^ {4}timeout-minutes:/.test(line)).length === limited.length
      ? []
      : ['A job has no time limit. Add "timeout-minutes" to each.']),
    ...(/^\s*(?:- )?run: .*[^|]\|\s*\w/m.test(content) && !/^ {4}shell: bash$/m.test(content)
      ? ['A pipe hides failures in the default shell. Add "defaults: run: shell: bash".']
      : []),
    ...lines.flatMap((line, index) =>
      /^\s*(?:- )?uses:/.test(line) && !pinnedAction.test(line)
        ? [`Line ${index + 1}: an action without a fixed commit. Write "uses: owner/name@<commit> # v1.2.3".`]
        : [],
    ),
    ...lines.flatMap((line, index) =>
      /\$\{\{.*\bsecrets\b|^\s*secrets:/.test(line)
        ? [
            `Line ${index + 1}: a secret. Give the job "id-token: write", and let the other side accept its token.`,
          ]
        : [],
    ),
    ...errorsAboutTokens(lines),
  ];
}

/** Jobs that get tokens have an environment, run trusted steps only and restore no cache. */
function errorsAboutTokens(lines: readonly string[]): readonly string[] {
  const isJob = (line: string) => /^ {2}[\w-]+:$/.test(line);
  const start = lines.indexOf('jobs:');
  const jobStarts = lines.flatMap((line, index) => (index > start && isJob(line) ? [index] : []));
  // The part before the first job holds for all jobs.
  return [0, ...jobStarts].flatMap((first, position) => {
    const job = lines.slice(first, jobStarts[position]);
    const getsTokens = job.some((line) => /id-token: *write|^ *permissions: *write-all/.test(line));
    // A called workflow has jobs of its own.
    if (!getsTokens || job.some((line) => /^ {4}uses: \.\//.test(line))) return [];
    const hasEnvironment = job.some((line) => /^ {4}environment:/.test(line));
    const untrustedSteps = job.flatMap((line, index) => {
      const step = line.trim().replace('- ', '');
      if (!/\b(?:run|uses):/.test(step) || trustedCommand.test(step) || trustedAction.test(step)) return [];
      return [
        `Line ${first + index + 1}: a job with tokens must not run "${step}". Do it in a job without "id-token: write", and pass the files on as an artifact.`,
      ];
    });
    const count = (pattern: RegExp) => job.filter((line) => pattern.test(line)).length;
    const mayRestoreCache =
      count(/^\s+cache:/) > 0 || count(/actions\/setup-node@/) !== count(/^\s+package-manager-cache: false$/);
    return [
      ...(hasEnvironment
        ? []
        : [
            'A job gets tokens without an environment. Add "environment: production-…", which its token names.',
          ]),
      ...untrustedSteps,
      ...(mayRestoreCache
        ? [
            'A job with tokens restores a cache, which other jobs can write. Set "package-manager-cache: false" for actions/setup-node.',
          ]
        : []),
    ];
  });
}
