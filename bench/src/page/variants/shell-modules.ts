/**
 * All modules that the variants use from the shell. Only this file and `page-document.ts` depend on the shell's
 * folder structure.
 */
import '../../../../packages/design-tokens/src/base.css';
import '../../../../shell/src/page.css';

export { rootElementId } from '../../../../shell/src/page/element-ids.ts';
export { scrollToSection } from '../../../../shell/src/page/scroll-to-section.ts';
export { readStoredTheme, storeTheme } from '../../../../shell/src/theme/theme-storage.ts';
export { createToastStore } from '../../../../shell/src/toast/toast-store.ts';
export const loadToastRegion = () => import('../../../../shell/src/toast/toast-region.tsx');
