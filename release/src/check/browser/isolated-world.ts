import type { Page } from 'playwright-core';

/** A function that refers to nothing outside of itself, because its text runs in the browser. */
type PageFunction<Input extends readonly unknown[], Result> = (...input: Input) => Result | Promise<Result>;

/**
 * Runs functions in a page, in a JavaScript world of their own. It shares the document with the page's scripts, but not the
 * globals, so the scripts can neither see the functions nor replace the built-ins that these use.
 */
export interface IsolatedWorld {
  /** Runs a function in the page that is open. Rejects with a {@link PageFailure} if the page does not answer. */
  run<Input extends readonly unknown[], Result>(
    pageFunction: PageFunction<Input, Result>,
    ...input: Input
  ): Promise<Result>;
  /** Runs the text of a script, which may leave globals for {@link run}. */
  runScript(text: string): Promise<void>;
}

/** The page has crashed, its scripts run for ever, or it has lost what every page has. The message is a predicate, which the caller puts after the part. */
export class PageFailure extends Error {}

const worldName = 'pre-deploy-check';

/** Limit of one call, in milliseconds. */
const answerLimit = 20_000;

/** @param before functions to run in each document of the page before its scripts */
export async function openIsolatedWorld(page: Page, before: readonly (() => void)[]): Promise<IsolatedWorld> {
  const session = await page.context().newCDPSession(page);
  const crashed = new Promise<never>((_, reject) => {
    page.on('crash', () => reject(new PageFailure('crashes the page, or needs too much memory')));
  });
  // Between two calls nothing awaits it.
  crashed.catch(() => undefined);
  await session.send('Page.enable');
  const source = before.map((pageFunction) => `(${String(pageFunction)})();`).join('\n');
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName });
  const evaluate = async (expression: string) => {
    // Despite its name, the command returns the document's existing world of this name, with its globals.
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName,
    });
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) {
      const text = exceptionDetails.exception?.description ?? exceptionDetails.text;
      throw new PageFailure(`leaves a page that cannot be checked (${text.split('\n', 1)[0] ?? ''})`);
    }
    return result.value as unknown;
  };
  const evaluateInTime = async (expression: string) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const text = `stops the page: it does not answer for ${answerLimit / 1000} s`;
      timer = setTimeout(() => reject(new PageFailure(text)), answerLimit);
    });
    const evaluated = evaluate(expression);
    evaluated.catch(() => undefined);
    try {
      return await Promise.race([evaluated, late, crashed]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    run: async <Input extends readonly unknown[], Result>(
      pageFunction: PageFunction<Input, Result>,
      ...input: Input
    ) => (await evaluateInTime(`(${String(pageFunction)})(...${JSON.stringify(input)})`)) as Result,
    async runScript(text) {
      await evaluateInTime(`${text}; undefined`);
    },
  };
}
