import { useSyncExternalStore } from 'react';

export interface Toast {
  text: string;
  undo?: () => void;
}

/** Holds the toast of the last action. A new toast replaces it. */
class Toasts {
  private current: Toast | undefined;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): Toast | undefined => this.current;

  show(toast: Toast): void {
    this.set(toast);
  }

  hide(): void {
    this.set(undefined);
  }

  /** Undoes the last action, once. */
  undo(): void {
    const { undo } = this.current ?? {};
    if (!undo) return;
    this.hide();
    undo();
  }

  private set(toast: Toast | undefined): void {
    this.current = toast;
    for (const listener of this.listeners) listener();
  }
}

export const toasts = new Toasts();

export function useToast(): Toast | undefined {
  return useSyncExternalStore(toasts.subscribe, toasts.snapshot);
}
