/**
 * All that the variants take from the shell's sources: what any page of this kind needs, however it is assembled.
 * A change of the shell's structure is followed here and in `page-document.ts` alone.
 */
import '../../../../shell/src/base.css';

export { rootElementId } from '../../../../shell/src/document/element-ids.ts';
export { scrollToSection } from '../../../../shell/src/page/scroll-to-section.ts';
export { readStoredTheme, storeTheme } from '../../../../shell/src/theme/theme-storage.ts';
export { createToastStore } from '../../../../shell/src/toast/toast-store.ts';
export const loadToastRegion = () => import('../../../../shell/src/toast/toast-region.tsx');
