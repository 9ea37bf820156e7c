/** Settings of the release workflow. */
interface PipelineConfig {
  /** URLs of the lead service's metrics. */
  readonly metrics: readonly string[];
  /** Environment of the release command. Without empty variables, which a workflow sets for missing settings. */
  readonly environment: NodeJS.ProcessEnv;
}

export function readConfig(variables: NodeJS.ProcessEnv = process.env): PipelineConfig {
  const environment = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const metrics = environment['METRICS_URLS']?.split(/\s+/).filter(Boolean) ?? [];
  return { metrics, environment };
}
