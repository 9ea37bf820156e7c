import { Component, type ReactNode } from 'react';

interface SlotBoundaryProps {
  readonly children: ReactNode;
  /** Is called while what has failed still stands in the page, for the last time. */
  onBeforeRemoval(): void;
  onFailure(error: unknown): void;
}

/** Keeps an error inside the slot: what it held is removed, the rest of the page does not notice. */
export class SlotBoundary extends Component<SlotBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override getSnapshotBeforeUpdate(): null {
    if (this.state.failed) this.props.onBeforeRemoval();
    return null;
  }

  /** React asks for it where there is a snapshot. */
  override componentDidUpdate() {
    // The snapshot is taken for its own sake.
  }

  override componentDidCatch(error: unknown) {
    this.props.onFailure(error);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
