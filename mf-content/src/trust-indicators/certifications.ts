import { ClipboardCheck, Globe, LockKeyhole, UserRoundCheck, type LucideIcon } from 'lucide-react';

export interface Certification {
  readonly name: string;
  readonly meaning: string;
  readonly icon: LucideIcon;
  /** Ellipses in the mark's fine-line ring: each mark has a pattern of its own. */
  readonly lines: number;
}

export const certifications: readonly Certification[] = [
  { name: 'SOC 2', meaning: 'Security controls, audited', icon: ClipboardCheck, lines: 9 },
  { name: 'ISO 27001', meaning: 'Managed information security', icon: Globe, lines: 12 },
  { name: 'GDPR', meaning: 'Personal data kept by the rules', icon: UserRoundCheck, lines: 7 },
  { name: '256-bit SSL', meaning: 'Every connection encrypted', icon: LockKeyhole, lines: 16 },
];
