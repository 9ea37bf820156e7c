import { scriptCopiesElementId } from '@countersign/contracts/data-blocks';
import { slotAttributes } from '@countersign/contracts/slot-markup';

/** How long after its failure the script is requested again, in milliseconds. */
const retryDelay = 1000;

/** How long the page waits for the element of the shell's script, in milliseconds. */
const longestWait = 8000;

/**
 * Requests a script of the shell that failed once more, after some time or once the browser is online. If it fails again, or if
 * the HTML ended or stalls before the scripts, the page is plain. The source text is inlined in the HTML, so the function must not use
 * anything outside its body.
 */
function retryShellScript(copiesId: string, plain: string, delay: number, longest: number): void {
  const becomePlain = () => document.documentElement.setAttribute(plain, '');
  const requireScript = () => document.querySelector('script[src]') ?? becomePlain();
  addEventListener('DOMContentLoaded', requireScript);
  setTimeout(requireScript, longest);
  addEventListener(
    'error',
    ({ target }) => {
      const src = target instanceof HTMLScriptElement && target.getAttribute('src');
      const copies = document.querySelector<HTMLTemplateElement>(`#${copiesId}`);
      const copy = copies?.content.querySelector(`[src="${src}"]`);
      if (!copy) return;
      copy.addEventListener('error', becomePlain);
      const retry = () => {
        // Chromium would fail the script again, without another request, if its preload has failed.
        document.querySelector(`link[href="${src}"]`)?.remove();
        document.body.append(copy);
      };
      if (navigator.onLine) setTimeout(retry, delay);
      else addEventListener('online', retry, { once: true });
    },
    true,
  );
}

/** Inline script at the top of the page. */
export const retryShellScriptSource = `(${retryShellScript})("${scriptCopiesElementId}","${slotAttributes.plain}",${retryDelay},${longestWait})`;
