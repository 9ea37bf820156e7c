/** A browser engine that Playwright's own tests do not run in. */
export interface Engine {
  /** What this engine reports although nothing is wrong with the page. */
  readonly knownErrors: readonly RegExp[];
  /** Somebody who has never been here, with an empty storage. */
  newVisitor(options?: VisitorOptions): Promise<Visitor>;
  close(): Promise<void>;
}

export interface VisitorOptions {
  readonly javaScript?: boolean;
}

/** One window of a visitor. */
export interface Visitor {
  /** Opens an address and waits until it has loaded. */
  open(url: string): Promise<void>;
  /**
   * Runs a function in the page, also where the page itself may run no JavaScript. It may use nothing from outside its own
   * body, and must not wait for anything.
   */
  run<Result, Parameters extends readonly unknown[]>(
    script: (...parameters: Parameters) => Result,
    ...parameters: Parameters
  ): Promise<Result>;
  /** Types on the keyboard. What has the focus gets it. */
  type(text: string): Promise<void>;
  pressEnter(): Promise<void>;
  close(): Promise<void>;
}
