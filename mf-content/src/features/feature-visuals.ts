import {
  ChartNoAxesColumn,
  Folders,
  MousePointerClick,
  ShieldCheck,
  UsersRound,
  type IconNode,
} from 'lucide';
import type { ComponentType } from 'react';
import { ApiDrawing } from './api-drawing.tsx';
import { AuditTrailDrawing } from './audit-trail-drawing.tsx';
import { CommentsDrawing } from './comments-drawing.tsx';
import type { FeatureName } from './feature-list.ts';
import { FormBuilderDrawing } from './form-builder-drawing.tsx';
import { SharingDrawing } from './sharing-drawing.tsx';
import { VaultDrawing } from './vault-drawing.tsx';

/** Below its words, a large card has a drawing, a small one an icon. `shape` sets the size in the stylesheet. */
type FeatureVisual =
  | { readonly shape: 'wide' | 'narrow' | 'tall' | 'tinted'; readonly Drawing: ComponentType }
  | { readonly shape: 'small'; readonly icon: IconNode };

// blind spot: cosmetic, the sizes of the cards.
export const featureVisuals: Readonly<Record<FeatureName, FeatureVisual>> = {
  forms: { shape: 'wide', Drawing: FormBuilderDrawing },
  signatures: { shape: 'narrow', Drawing: AuditTrailDrawing },
  vault: { shape: 'tinted', Drawing: VaultDrawing },
  sharing: { shape: 'tall', Drawing: SharingDrawing },
  collections: { shape: 'small', icon: Folders },
  'one-click': { shape: 'small', icon: MousePointerClick },
  api: { shape: 'tall', Drawing: ApiDrawing },
  collaboration: { shape: 'tall', Drawing: CommentsDrawing },
  insights: { shape: 'small', icon: ChartNoAxesColumn },
  signers: { shape: 'small', icon: UsersRound },
  security: { shape: 'small', icon: ShieldCheck },
};
