import { Component, type ReactNode } from 'react';

interface PartBoundaryProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** Keeps the page when a part cannot be loaded or fails. */
export class PartBoundary extends Component<PartBoundaryProps> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <p>{this.props.name} is not available.</p> : this.props.children;
  }
}
