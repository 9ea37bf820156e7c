import type { Page } from '@playwright/test';
import { expect, test } from '../site/site-test.ts';

/** Runs an action of injected code in the page, and returns its outcome. */
async function attempt(page: Page, action: () => void): Promise<string> {
  return page.evaluate(
    ([source]) => {
      try {
        // The policy forbids `eval` to the page's scripts, but not to code that the test evaluates.
        (0, eval)(`(${source})()`);
        return 'done';
      } catch (error) {
        return String(error);
      }
    },
    [action.toString()],
  );
}

/** Records violations of the policy. Call it before opening the page. The result returns the violated directives so far. */
async function watchViolations(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const violated: string[] = [];
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      violated.push(effectiveDirective),
    );
    Object.assign(globalThis, { violated });
  });
  return () => page.evaluate(() => Reflect.get(globalThis, 'violated') as string[]);
}

test('Trusted Types: strings as script URLs or HTML are refused', async ({ page, openSite }) => {
  await openSite();
  for (const action of [
    () => {
      document.createElement('script').src = '/shell/script.js';
    },
    () => {
      document.createElement('script').text = 'globalThis.tampered = 1';
    },
    () => {
      document.body.innerHTML = '<img src="x" onerror="globalThis.tampered = 1">';
    },
  ]) {
    expect(await attempt(page, action)).toMatch(/TypeError.*Trusted/);
  }
});

test('Trusted Types: injected code cannot create a policy', async ({ page, openSite }) => {
  await openSite();
  const outcome = await attempt(page, () => {
    const { trustedTypes } = globalThis as unknown as { trustedTypes: { createPolicy(name: string): void } };
    trustedTypes.createPolicy('injected');
  });
  expect(outcome).toMatch(/TypeError/);
});

test('page policy: an unknown style element is not applied', async ({ page, openSite }) => {
  const violations = await watchViolations(page);
  await openSite();
  await attempt(page, () => {
    const style = document.createElement('style');
    style.textContent = ':root { --tampered: 1 }';
    document.head.append(style);
  });
  const tampered = await page.evaluate(() =>
    getComputedStyle(document.documentElement).getPropertyValue('--tampered'),
  );
  expect(tampered).toBe('');
  expect(new Set(await violations())).toEqual(new Set(['style-src-elem']));
});
