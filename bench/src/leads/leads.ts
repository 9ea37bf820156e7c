import { measureLeadLoad } from './lead-load.ts';
import { loadReport, memoryReport } from './lead-report.ts';
import { measureMemory } from './lead-soak.ts';

/** How many leads the service takes, or, with `soak`, whether its memory stays flat over very many of them. */
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
