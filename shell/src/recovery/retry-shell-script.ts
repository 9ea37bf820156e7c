import { scriptCopiesElementId, slotAttributes } from '@countersign/contracts/page-markup';
import { retryLater } from '../federation/retry-failed-loads.ts';

/** How long the page waits for the element of the shell's script, in milliseconds. */
const longestWait = 8000;

/**
 * If a script of the shell fails, requests it once more. Failures while the browser says that it is offline do not count. If the
 * last request fails, or if the HTML ends or stalls before the scripts, the page becomes plain. The source text is inlined in the
 * HTML, so the function must not use anything outside its body.
 *
 * @param later {@link retryLater}, which calls back after a second, or once the browser is online again
 */
function retryShellScript(copiesId: string, plainName: string, timeout: number, later: typeof retryLater) {
  const becomePlain = () => document.documentElement.setAttribute(plainName, '');
  const requireScript = () => document.querySelector('script[src]') ?? becomePlain();
  addEventListener('DOMContentLoaded', requireScript);
  setTimeout(requireScript, timeout);
  addEventListener(
    'error',
    ({ target }) => {
      const src = target instanceof HTMLScriptElement && target.getAttribute('src');
      // The copy in the template has not run. A clone of the failed element would not run, because it counts as started.
      const unused = document
        .querySelector<HTMLTemplateElement>(`#${copiesId}`)
        ?.content.querySelector(`[src="${src}"]`);
      if (!unused) return;
      const isOnline = navigator.onLine;
      later(() => {
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
export const retryShellScriptSource = `(${retryShellScript})("${scriptCopiesElementId}","${slotAttributes.plain}",${longestWait},${retryLater})`;
