import { leadTypes, type LeadType } from '@countersign/contracts/lead';
import type { EnvironmentReader } from '../environment-reader.ts';

/** After how many days leads are erased. 0: never. */
export interface RetentionConfig {
  readonly days: Readonly<Record<LeadType, number>>;
  /** For leads in quarantine, if their type is not sooner. */
  readonly quarantineDays: number;
}

const century = 36_500;
const usualQuarantineDays = 30;

/** Nothing is erased unless somebody has asked for it. Who limits any type is taken to want no spam for longer. */
export function readRetention(reader: EnvironmentReader): RetentionConfig {
  const daysOf = (type: LeadType) =>
    [
      type,
      reader.wholeNumber(`RETENTION_DAYS_${type.toUpperCase()}`, { initial: 0, least: 0, most: century }),
    ] as const;
  const days = Object.fromEntries(leadTypes.map(daysOf)) as Record<LeadType, number>;
  const isLimited = Object.values(days).some((limit) => limit > 0);
  return {
    days,
    quarantineDays: reader.wholeNumber('RETENTION_DAYS_QUARANTINE', {
      initial: isLimited ? usualQuarantineDays : 0,
      least: 0,
      most: century,
    }),
  };
}
