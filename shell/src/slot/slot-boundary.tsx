// blind spot: no step makes a part fail, but the tests of fill-slot do.
import { Component, type ReactNode } from 'react';

interface SlotBoundaryProps {
  readonly children: ReactNode;
  /** Called when content that was shown has failed, while it is still in the DOM. */
  onBeforeRemoval(): void;
  onFailure(error: unknown): void;
}

/** Error boundary of a slot: removes the failed content and reports the error. */
export class SlotBoundary extends Component<SlotBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override getSnapshotBeforeUpdate(): null {
    if (this.state.failed) this.props.onBeforeRemoval();
    return null;
  }

  /** React requires this method with `getSnapshotBeforeUpdate`. */
  override componentDidUpdate() {
    // The snapshot's value is not used.
  }

  override componentDidCatch(error: unknown) {
    this.props.onFailure(error);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
