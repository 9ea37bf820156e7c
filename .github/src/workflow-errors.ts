import { registerHooks } from 'node:module';

// The parser imports its schema without the attribute that Node demands, because it is made for bundlers.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } =
  await import('@actions/workflow-parser');

/** An action outside of this repository, with the commit and the release that it stands for. */
const pinnedAction = /^\s*(?:- )?uses: (?:\.\/|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/;

/** Mistakes in a workflow: keys, types and expressions, unknown jobs in `needs`, actions without a fixed commit, missing limits. */
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
  ];
}
