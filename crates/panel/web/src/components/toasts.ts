import { useSyncExternalStore } from 'react';
import { Listeners } from '../api/listeners';

export interface Toast {
  text: string;
  undo?: () => void;
}

/** Holds the toast of the last action. A new toast replaces it. */
class Toasts extends Listeners {
  private current: Toast | undefined;

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
    this.notify();
  }
}

export const toasts = new Toasts();

export function useToast(): Toast | undefined {
  return useSyncExternalStore(toasts.subscribe, toasts.snapshot);
}
