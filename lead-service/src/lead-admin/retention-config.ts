import type { LeadType } from '@countersign/contracts/lead';
import type { EnvironmentReader } from '@countersign/environment/environment-reader';
import { wholeNumber } from '@countersign/environment/variables';

/** Days after which leads are erased, and counts removed. 0: never. */
export interface RetentionConfig {
  readonly days: Readonly<Record<LeadType, number>>;
  /** For leads in quarantine, unless the limit of their type is shorter. */
  readonly quarantineDays: number;
  /** For counts of page reports. */
  readonly pageReportDays: number;
}

const century = 36_500;
const defaultQuarantineDays = 30;
/** More than a year, so that a month can be compared with the same one before. */
const defaultPageReportDays = 400;

const range = { min: 0, max: century };
const typeVariable = wholeNumber('Days after which leads of that type are erased; `0`: never', {
  initial: 0,
  ...range,
});

export const retentionVariables = {
  RETENTION_DAYS_TRIAL: typeVariable,
  RETENTION_DAYS_DEMO: typeVariable,
  RETENTION_DAYS_CONTACT: typeVariable,
  RETENTION_DAYS_QUARANTINE: wholeNumber('The same for leads in quarantine; the shorter limit applies', {
    initial: undefined,
    ...range,
    shown: `\`${defaultQuarantineDays}\` once any of these is set, else \`0\``,
  }),
  RETENTION_DAYS_PAGE_REPORTS: wholeNumber(
    'Days after which counts of page reports are removed; `0`: never',
    { initial: defaultPageReportDays, ...range },
  ),
};

/** Retention is off by default. If any lead type has a limit, quarantined leads get the default limit too. */
export function readRetention(reader: EnvironmentReader): RetentionConfig {
  const values = reader.read(retentionVariables);
  const days = {
    trial: values.RETENTION_DAYS_TRIAL,
    demo: values.RETENTION_DAYS_DEMO,
    contact: values.RETENTION_DAYS_CONTACT,
  };
  const isLimited = Object.values(days).some((limit) => limit > 0);
  return {
    days,
    quarantineDays: values.RETENTION_DAYS_QUARANTINE ?? (isLimited ? defaultQuarantineDays : 0),
    pageReportDays: values.RETENTION_DAYS_PAGE_REPORTS,
  };
}
