import { Component, type ReactNode } from 'react';

interface RegionBoundaryProps {
  readonly children: ReactNode;
  onError(error: unknown): void;
}

/** Keeps an error of the shell's own inside one region of the page: that region is empty, the others stay. */
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
