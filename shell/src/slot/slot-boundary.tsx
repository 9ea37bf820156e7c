import { Component, type ReactNode } from 'react';

interface SlotBoundaryProps {
  readonly children: ReactNode;
  /** Height of what the slot shows, in pixels. */
  measure(): number;
  /** `height`: what the slot took of the page before, in pixels. */
  onFailure(error: unknown, height: number): void;
}

/** Keeps an error inside the slot: what it held is removed, the rest of the page does not notice. */
export class SlotBoundary extends Component<SlotBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };
  #height = 0;

  static getDerivedStateFromError() {
    return { failed: true };
  }

  /** The last moment at which the failed part still stands in the page. */
  override getSnapshotBeforeUpdate(): number {
    return this.state.failed ? this.props.measure() : 0;
  }

  override componentDidUpdate(_props: unknown, _state: unknown, height: number) {
    this.#height = height;
  }

  override componentDidCatch(error: unknown) {
    this.props.onFailure(error, this.#height);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
