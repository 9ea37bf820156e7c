import type { EnvironmentReader } from '@countersign/environment/environment-reader';
import { wholeNumber } from '@countersign/environment/variables';
import type { RetentionConfig } from './retention.ts';

const range = { min: 0, max: 36_500 };

export const retentionVariables = {
  RETENTION_DAYS: wholeNumber('Days after which leads are deleted; `0`: never', { initial: 0, ...range }),
  RETENTION_DAYS_QUARANTINE: wholeNumber('The same for leads in quarantine; the shorter limit applies', {
    initial: 0,
    ...range,
  }),
  RETENTION_DAYS_PAGE_REPORTS: wholeNumber(
    'Days after which counts of page reports are removed; `0`: never',
    // More than a year, so that a month can be compared with the same one before.
    { initial: 400, ...range },
  ),
};

export function readRetention(reader: EnvironmentReader): RetentionConfig {
  const values = reader.read(retentionVariables);
  return {
    days: values.RETENTION_DAYS,
    quarantineDays: values.RETENTION_DAYS_QUARANTINE,
    pageReportDays: values.RETENTION_DAYS_PAGE_REPORTS,
  };
}
