import { scriptCopiesElementId, slotAttributes } from '@countersign/contracts/page-markup';
import { tryAgain } from '../federation/retry-failed-loads.ts';

/** How long the page waits for the element of the shell's script, in milliseconds. */
const longestWait = 8000;

/**
 * If a script of the shell fails, requests it once more. Failures while the browser says that it is offline do not count. If the
 * last request fails, or if the HTML ends or stalls before the scripts, the page becomes plain. The source text is inlined in the
 * HTML, so the function must not use anything outside its body.
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
      // One that has not run, because it is in a template.
      const unused = document
        .querySelector<HTMLTemplateElement>(`#${copiesId}`)
        ?.content.querySelector(`[src="${src}"]`);
      if (!unused) return;
      const isOnline = navigator.onLine;
      again(() => {
        // Chromium would fail the script again, without another request, if its preload has failed.
        document.querySelector(`link[href="${src}"]`)?.remove();
        const copy = unused.cloneNode();
        if (isOnline) {
          // The last try.
          unused.remove();
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
