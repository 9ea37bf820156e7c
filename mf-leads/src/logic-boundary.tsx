import { Component, type ReactNode } from 'react';

interface LogicBoundaryProps {
  readonly children: ReactNode;
  /** The code could not be loaded, or has thrown. */
  onFailure(): void;
}

/** Keeps a failure of the form's logic away from the form, which the browser can send without it. */
export class LogicBoundary extends Component<LogicBoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch() {
    this.props.onFailure();
  }

  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
