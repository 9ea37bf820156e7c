import { isDeepStrictEqual } from 'node:util';
import { stateOf } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import { errorMessage } from '../platform/errors.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import {
  assessCanary,
  noCounts,
  type Assessment,
  type AssessmentOptions,
  type Comparison,
  type Sensitivity,
} from './assess-canary.ts';
import { describeMeasures, describeNeeds, describeNoticed, describeViews } from './describe-canary.ts';
import { readPageReports, type ReportsSource } from './read-page-reports.ts';
import { compareGroups, readStageEntries, readStageReports } from './stage-reports.ts';
import type { WatchedCanary } from './watched-canary.ts';

/** The part that is assessed, and the reports on it. */
export interface ReportedCanary extends Pick<Sensitivity, 'without'> {
  readonly part: PartName;
  readonly reports: ReportsSource;
  /** Gets what was seen so far, what that would have shown, why nothing is seen, and to which percentage the canary was raised. */
  progress(line: string): void;
}

/** The assessment of a canary at one percentage. */
interface StageAssessment extends Assessment {
  readonly comparison: Comparison;
  /** The effects that the views would have shown, or why they are missing. */
  readonly why: string;
  /** The views of the part that was decisive, as {@link describeViews} puts them. */
  readonly decisiveViews: string;
}

export const nothingSeen: StageAssessment = {
  assessment: 'waiting',
  because: 'failed',
  comparison: { canary: noCounts, stable: noCounts },
  why: 'no view is known',
  decisiveViews: '',
};

/**
 * Assesses each part of a canary by the views of all releases in which it has had its present percentage. The worst decides. Resolves to
 * `undefined` if another command has changed the canary.
 *
 * @param noteReason notes why the views of a part cannot be seen at this assessment; `undefined` if they can
 */
export async function assessParts(
  store: ReleaseStore,
  { reports: source, without, progress }: Omit<ReportedCanary, 'part'>,
  { states }: WatchedCanary,
  options: AssessmentOptions,
  noteReason: (part: PartName, reason: string | undefined) => void,
): Promise<StageAssessment | undefined> {
  const liveState = await store.liveStore.require();
  const isSame = [...states].every(([part, state]) =>
    isDeepStrictEqual(state, stateOf(part, liveState.release)),
  );
  if (!isSame) return undefined;
  const assessing = [...states].map(async ([part, state]): Promise<StageAssessment> => {
    // Of each part, because one may have had its percentage before the others joined its canary. What cannot be read of one hides no
    // fault of another.
    const reports = await readStageEntries(store, liveState, part)
      .then((entries) => readStageReports(source, part, entries))
      .catch(errorMessage);
    if (typeof reports === 'string') {
      noteReason(part, reports);
      return { ...nothingSeen, why: reports };
    }
    noteReason(part, undefined);
    const comparison = compareGroups(reports, state);
    const noticed = describeNoticed(comparison, options);
    const why = [noticed, ...without.map((measure) => `judged without ${measure}`)].join('; ');
    const prefix = states.size > 1 ? `${part}: ` : '';
    progress(`${prefix}${describeMeasures(comparison)}; ${why}`);
    const assessment = assessCanary(comparison, options);
    const decisiveViews = `${prefix}${describeViews(assessment.because, comparison, state.live)}`;
    return { ...assessment, comparison, why, decisiveViews };
  });
  const found = await Promise.all(assessing);
  const worse = found.find(({ assessment }) => assessment === 'worse');
  return worse ?? found.find(({ assessment }) => assessment === 'waiting') ?? found[0];
}

/** Time whose reports tell how often the stable version has events, in milliseconds. */
const week = 7 * 24 * 3_600_000;

/** Tells before an assessment how many views it needs. */
export async function announceNeeds(
  { reports, progress }: ReportedCanary,
  { states }: WatchedCanary,
  options: AssessmentOptions,
): Promise<void> {
  for (const [part, state] of states) {
    const { stable } = compareGroups(await readPageReports(reports, part, Date.now() - week), state);
    progress(`by the last 7 days of ${state.live}: ${describeNeeds(stable, options)}`);
  }
}
