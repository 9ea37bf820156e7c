/** Settings of the release workflow. */
interface PipelineConfig {
  /** Whether visitors' reports can be read. */
  readonly isWatched: boolean;
  /** Environment of the release command. Without empty variables, which a workflow sets for missing settings. */
  readonly environment: NodeJS.ProcessEnv;
}

export function readConfig(variables: NodeJS.ProcessEnv = process.env): PipelineConfig {
  const environment = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  // A release server reads the reports itself.
  const isWatched =
    'RELEASE_URL' in environment || ('REPORTS_URL' in environment && 'REPORTS_TOKEN' in environment);
  return { isWatched, environment };
}
