// blind spot: no step makes a component fail, but the tests of this file do.
import { Component, type ReactNode } from 'react';

interface RegionBoundaryProps {
  readonly children: ReactNode;
  onError(error: unknown): void;
}

/** Error boundary for the shell's own components. A failed region renders nothing; the others keep working. */
export class RegionBoundary extends Component<RegionBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    this.props.onError(error);
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
