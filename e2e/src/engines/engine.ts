import type { EngineName } from '../browser/engine-commands.ts';

/** A browser engine that Playwright does not drive. */
export interface Engine {
  readonly name: EngineName;
  /** Messages of this engine that are not errors of the page. */
  readonly knownErrors: readonly RegExp[];
  /** A first-time visitor, with empty storage. */
  newVisitor(javaScript: boolean): Promise<Visitor>;
  close(): Promise<void>;
}

/** One window of a visitor. */
export interface Visitor {
  /** Opens a URL and waits until its document is complete. Its scripts and images may still load. */
  open(url: string): Promise<void>;
  /**
   * Runs a function in the page, also where the page itself may run no JavaScript. It may use nothing from outside its own
   * body, and must not wait for anything.
   */
  run<Result, Parameters extends readonly unknown[]>(
    script: (...parameters: Parameters) => Result,
    ...parameters: Parameters
  ): Promise<Result>;
  /** Types text into the focused element. */
  type(text: string): Promise<void>;
  pressEnter(): Promise<void>;
  /** Changes the width of the window. */
  setWidth(width: number): Promise<void>;
  close(): Promise<void>;
}
