import type { Page } from 'playwright-core';

/** A function that refers to nothing outside of itself, because its text runs in the browser. */
type PageFunction<Input extends readonly unknown[], Result> = (...input: Input) => Result | Promise<Result>;

/** Runs functions in a page. They share the document with the page's scripts, which see none of them, and cannot replace the built-ins that they use. */
export interface IsolatedWorld {
  /** Runs a function in the page that is open. Rejects if the page does not answer. */
  run<Input extends readonly unknown[], Result>(
    look: PageFunction<Input, Result>,
    ...input: Input
  ): Promise<Result>;
  /** Runs the text of a script, which may leave globals for {@link run}. */
  runScript(text: string): Promise<void>;
}

/** The page has crashed, or its scripts run for ever. The message is a predicate, which the caller puts after the part. */
export class PageFailure extends Error {}

const worldName = 'gate';

/** In milliseconds. */
const answerLimit = 20_000;

/** @param before run in each document of the page before its scripts */
export async function openIsolatedWorld(page: Page, before: readonly (() => void)[]): Promise<IsolatedWorld> {
  const session = await page.context().newCDPSession(page);
  const crashed = new Promise<never>((_, reject) => {
    page.on('crash', () => reject(new PageFailure('crashes the page, or needs too much memory')));
  });
  crashed.catch(() => undefined);
  await session.send('Page.enable');
  const source = before.map((watch) => `(${String(watch)})();`).join('\n');
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName });
  const evaluate = async (expression: string) => {
    // Returns the world of this name that the document has already, with its globals.
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
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value as unknown;
  };
  const answer = async (expression: string) => {
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
      look: PageFunction<Input, Result>,
      ...input: Input
    ) => (await answer(`(${String(look)})(...${JSON.stringify(input)})`)) as Result,
    async runScript(text) {
      await answer(`${text}; undefined`);
    },
  };
}
