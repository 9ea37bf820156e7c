import { scriptCopiesElementId, slotAttributes } from '@countersign/contracts/page-markup';
import { tryAgain } from '../federation/retry-failed-loads.ts';

/** How long the page waits for the element of the shell's script, in milliseconds. */
const longestWait = 8000;

/**
 * Requests a script of the shell that failed once more, and until it arrives while the browser says that it is offline. If it fails
 * again, or if the HTML ended or stalls before the scripts, the page is plain. The source text is inlined in the HTML, so the function
 * must not use anything outside its body.
 */
function retryShellScript(copiesId: string, plain: string, longest: number, again: typeof tryAgain): void {
  const becomePlain = () => document.documentElement.setAttribute(plain, '');
  const requireScript = () => document.querySelector('script[src]') ?? becomePlain();
  addEventListener('DOMContentLoaded', requireScript);
  setTimeout(requireScript, longest);
  addEventListener(
    'error',
    ({ target }) => {
      const src = target instanceof HTMLScriptElement && target.getAttribute('src');
      const original = document
        .querySelector<HTMLTemplateElement>(`#${copiesId}`)
        ?.content.querySelector(`[src="${src}"]`);
      if (!original) return;
      const isOnline = navigator.onLine;
      again(() => {
        // Chromium would fail the script again, without another request, if its preload has failed.
        document.querySelector(`link[href="${src}"]`)?.remove();
        const copy = original.cloneNode();
        if (isOnline) {
          // The last try.
          original.remove();
          copy.addEventListener('error', becomePlain);
        }
        document.body.append(copy);
      });
    },
    true,
  );
}

/** Inline script at the top of the page. */
export const retryShellScriptSource = `(${retryShellScript})("${scriptCopiesElementId}","${slotAttributes.plain}",${longestWait},${tryAgain})`;
