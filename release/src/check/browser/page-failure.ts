/** The page has crashed, its scripts run endlessly, or it does not open. The message is a predicate of the part. */
export class PageFailure extends Error {}

/** A limit is over, which a busy machine can cause as well. */
export class OutOfTime extends PageFailure {
  readonly seconds: number;

  constructor(predicate: string, milliseconds: number, detail = '') {
    const seconds = Math.round(milliseconds / 1000);
    super(`${predicate} ${seconds} s${detail}`);
    this.seconds = seconds;
  }
}
