/** Adds features of browsers that the panel and its packages need and jsdom lacks. */
export function addBrowserFeatures(): void {
  window.matchMedia = (media) => ({
    matches: false,
    media,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => true,
  });
  window.ResizeObserver = Observer;
  window.IntersectionObserver = Observer as unknown as typeof IntersectionObserver;
  window.scrollTo = () => undefined;
  Object.defineProperty(document, 'fonts', { value: new EventTarget() });
  Element.prototype.scrollIntoView = () => undefined;
  Blob.prototype.arrayBuffer ??= function (this: Blob) {
    return new Promise((read) => {
      const reader = new FileReader();
      reader.onload = () => read(reader.result as ArrayBuffer);
      reader.readAsArrayBuffer(this);
    });
  };
}

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}
