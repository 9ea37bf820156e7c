/**
 * All that the variants take from the shell's sources: what any page of this kind needs, however it is assembled.
 * A change of the shell's structure is followed here alone.
 */
import '../../../../shell/src/base.css';

export { rootElementId } from '../../../../shell/src/document/element-ids.ts';
export { default as frameStyles } from '../../../../shell/src/page/landing-page.module.css';
export { scrollToSection } from '../../../../shell/src/page/scroll-to-section.ts';
export { endSplash } from '../../../../shell/src/splash/splash.ts';
export { readStoredTheme, storeTheme } from '../../../../shell/src/theme/theme-storage.ts';
export { ToastRegion } from '../../../../shell/src/toast/toast-region.tsx';
export { createToastStore } from '../../../../shell/src/toast/toast-store.ts';
