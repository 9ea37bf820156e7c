import {
  ChartNoAxesColumn,
  Folders,
  MousePointerClick,
  ShieldCheck,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { ApiDrawing } from './api-drawing.tsx';
import { AuditTrailDrawing } from './audit-trail-drawing.tsx';
import { CommentsDrawing } from './comments-drawing.tsx';
import type { FeatureName } from './feature-list.ts';
import { FormBuilderDrawing } from './form-builder-drawing.tsx';
import { SharingDrawing } from './sharing-drawing.tsx';
import { VaultDrawing } from './vault-drawing.tsx';

/** Large cards have a drawing, small ones an icon. `shape` sets position and size in the stylesheet. */
export type FeatureVisual =
  | { readonly shape: 'main' | 'upright' | 'vault' | 'broad'; readonly Drawing: ComponentType }
  | { readonly shape: 'small' | 'open'; readonly Icon: LucideIcon };

export const featureVisuals: Readonly<Record<FeatureName, FeatureVisual>> = {
  forms: { shape: 'main', Drawing: FormBuilderDrawing },
  signatures: { shape: 'upright', Drawing: AuditTrailDrawing },
  vault: { shape: 'vault', Drawing: VaultDrawing },
  sharing: { shape: 'broad', Drawing: SharingDrawing },
  collections: { shape: 'small', Icon: Folders },
  'one-click': { shape: 'small', Icon: MousePointerClick },
  api: { shape: 'upright', Drawing: ApiDrawing },
  collaboration: { shape: 'broad', Drawing: CommentsDrawing },
  insights: { shape: 'open', Icon: ChartNoAxesColumn },
  signers: { shape: 'open', Icon: UsersRound },
  security: { shape: 'open', Icon: ShieldCheck },
};
