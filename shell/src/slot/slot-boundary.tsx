import { Component, type ReactNode } from 'react';

interface SlotBoundaryProps {
  readonly children: ReactNode;
  onFailure(error: unknown): void;
}

/** Keeps an error inside the slot: what it held is removed, the rest of the page does not notice. */
export class SlotBoundary extends Component<SlotBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onFailure(error);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
