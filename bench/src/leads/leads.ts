import { measureLeadLoad } from './lead-load.ts';
import { loadReport, memoryReport } from './lead-report.ts';
import { measureMemory } from './lead-soak.ts';

/** Measures the throughput of the service or, with `soak`, its memory over many leads. */
export async function leads({
  soak,
}: {
  readonly soak: boolean;
}): Promise<{ figures: unknown; report: string }> {
  if (soak) {
    const soaks = await measureMemory();
    return { figures: { soaks }, report: memoryReport(soaks) };
  }
  const load = await measureLeadLoad();
  return { figures: load, report: loadReport(load) };
}
