/** Wakes somebody who sleeps. Rung while nobody sleeps, it lets the next sleeper not fall asleep at all. */
export class Doorbell {
  #rung = false;
  #wake: () => void = () => undefined;

  ring(): void {
    this.#rung = true;
    this.#wake();
  }

  /** Resolves when the bell rings, at the latest after so many milliseconds. */
  async sleep(most: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, most);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#rung = false;
  }
}
