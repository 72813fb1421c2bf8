import { vi } from 'vitest';

/** An upload that the browser has begun. */
export interface Begun {
  path: string;
  headers: Record<string, string>;
  progress: (share: number) => void;
  /** Ends it with a response of the server. */
  answer: (status: number, body: object) => void;
  /** Ends it without a response. */
  lose: () => void;
  isAborted: boolean;
}

/** Replaces `XMLHttpRequest`, which sends files, and records the uploads. */
export function catchUploads(): Begun[] {
  const begun: Begun[] = [];
  class FakeRequest {
    status = 0;
    responseText = '';
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    onloadend?: () => void;
    private path = '';
    private readonly headers: Record<string, string> = {};
    private mine?: Begun;

    open(method: string, path: string) {
      this.path = `${method} ${path}`;
    }
    setRequestHeader(name: string, value: string) {
      this.headers[name] = value;
    }
    getResponseHeader() {
      return null;
    }
    abort() {
      if (this.mine) this.mine.isAborted = true;
      this.onabort?.();
      this.onloadend?.();
    }
    send() {
      this.mine = {
        path: this.path,
        headers: this.headers,
        progress: (share) => this.upload.onprogress?.({ loaded: share * 100, total: 100 }),
        answer: (status, body) => {
          this.status = status;
          this.responseText = JSON.stringify(body);
          this.onload?.();
          this.onloadend?.();
        },
        lose: () => {
          this.onerror?.();
          this.onloadend?.();
        },
        isAborted: false,
      };
      begun.push(this.mine);
    }
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  return begun;
}

/** A stored file, as the API returns it. */
export const stored = (id: string, name: string, mime_type: string) => ({ id, name, mime_type, size: 3 });

/** Lets the browser see all elements at once, and records the URLs of shown files. */
export function seeAll(): Blob[] {
  const shown: Blob[] = [];
  class Observer {
    constructor(private readonly note: (entries: { isIntersecting: boolean }[]) => void) {}
    observe() {
      this.note([{ isIntersecting: true }]);
    }
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  URL.createObjectURL = (blob) => {
    shown.push(blob as Blob);
    return `blob:${shown.length}`;
  };
  URL.revokeObjectURL = () => undefined;
  return shown;
}
